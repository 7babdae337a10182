import type { SourceSpan } from './template-error.ts'
import { TemplateFailure } from './template-error.ts'

/** What one evaluation may cost. */
export interface TemplateLimits {
  /** Nodes evaluated and values walked over. */
  readonly steps: number
  /** Characters of all texts made, and of the result as JSON. */
  readonly characters: number
}

/** Ten fields of 10,000 rows take 400,000 steps; a step takes 0.2 µs of CPU, and up to 1 where it compares. */
export const defaultLimits: TemplateLimits = { steps: 1_000_000, characters: 67_108_864 }

/** Levels of nesting that a walk over a value goes down. */
const maxValueDepth = 1000

const nowhere: SourceSpan = { start_line: 0, start_column: 1, end_line: 0, end_column: 1 }

/** Steps, or kilobytes of text, between two places where an evaluation may be interrupted: some 0.2 ms. */
const piece = 200

/** Counts down; a template that nests ranges over a large body ends here instead of never. */
export class Fuel {
  readonly #limits: TemplateLimits
  #steps: number
  #characters: number
  /** Since the evaluation could be interrupted last. */
  #done = 0
  /** Of what is being evaluated. */
  span: SourceSpan = nowhere

  constructor(limits: TemplateLimits) {
    this.#limits = limits
    this.#steps = limits.steps
    this.#characters = limits.characters
  }

  step(count = 1): void {
    this.#steps -= count
    this.#done += count
    if (this.#steps < 0) this.#fail(`the template takes more than ${this.#limits.steps} steps`)
  }

  characters(count: number): void {
    this.#characters -= count
    this.#done += count >> 10
    if (this.#characters < 0) this.#fail(`the template makes more than ${this.#limits.characters} characters`)
  }

  /** Whether the evaluation has to yield `pieceDone()` before it goes on. */
  get isPieceDone(): boolean {
    return this.#done >= piece
  }

  /** What was done since. */
  pieceDone(): number {
    const done = this.#done
    this.#done = 0
    return done
  }

  depth(level: number): void {
    if (level > maxValueDepth) this.#fail(`a value has more than ${maxValueDepth} levels`)
  }

  #fail(message: string): never {
    throw new TemplateFailure('Limit Error', message, this.span)
  }
}

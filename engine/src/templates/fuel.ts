import type { SourceSpan } from './template-error.ts'
import { TemplateFailure } from './template-error.ts'

/** What one evaluation may cost. */
export interface TemplateLimits {
  /** Nodes evaluated and values walked over. */
  readonly steps: number
  /** Characters of all texts made, and of the result as JSON. */
  readonly characters: number
}

export const defaultLimits: TemplateLimits = { steps: 5_000_000, characters: 67_108_864 }

/** Levels of nesting that a walk over a value goes down. */
export const maxValueDepth = 1000

const nowhere: SourceSpan = { start_line: 0, start_column: 1, end_line: 0, end_column: 1 }

/** Counts down; a template that nests ranges over a large body ends here instead of never. */
export class Fuel {
  readonly #limits: TemplateLimits
  #steps: number
  #characters: number
  /** Of what is being evaluated. */
  span: SourceSpan = nowhere

  constructor(limits: TemplateLimits) {
    this.#limits = limits
    this.#steps = limits.steps
    this.#characters = limits.characters
  }

  step(count = 1): void {
    this.#steps -= count
    if (this.#steps < 0) this.#fail(`the template takes more than ${this.#limits.steps} steps`)
  }

  characters(count: number): void {
    this.#characters -= count
    if (this.#characters < 0) this.#fail(`the template makes more than ${this.#limits.characters} characters`)
  }

  depth(level: number): void {
    if (level > maxValueDepth) this.#fail(`a value has more than ${maxValueDepth} levels`)
  }

  #fail(message: string): never {
    throw new TemplateFailure('Limit Error', message, this.span)
  }
}

/** Answers of several processes to one question, until all have come or the time is over. */
export class Gathering<T> {
  readonly #answers: unknown[] = []
  readonly #missing: Set<T>
  readonly #timer: NodeJS.Timeout
  readonly #done: (answers: readonly unknown[]) => void

  constructor(asked: Iterable<T>, milliseconds: number, done: (answers: readonly unknown[]) => void) {
    this.#missing = new Set(asked)
    this.#done = done
    this.#timer = setTimeout(() => this.#end(), milliseconds)
  }

  /** Undefined is no answer. */
  answer(from: T, answer: unknown): void {
    if (!this.#missing.delete(from)) return
    if (answer !== undefined) this.#answers.push(answer)
    if (this.#missing.size === 0) this.#end()
  }

  #end(): void {
    clearTimeout(this.#timer)
    this.#missing.clear()
    this.#done(this.#answers)
  }
}

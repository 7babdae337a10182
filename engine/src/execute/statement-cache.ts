import type { Statement } from '../backends/index.ts'

/** Shapes of rows that one root field has been given: more than these are not worth looking for. */
const most = 64

/** Statements of one root field that depend on the rows it is given, by what shapes them. */
export class StatementCache {
  readonly #statements = new Map<string, Statement>()

  /** Those that are kept, for the log. */
  texts(): readonly string[] {
    return [...this.#statements.values()].map(({ text }) => text)
  }

  find(key: string | null, make: () => Statement): Statement {
    if (key === null) return make()
    const known = this.#statements.get(key)
    if (known) return known
    const made = make()
    this.#statements.set(key, made)
    if (this.#statements.size > most)
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest)
        break
      }
    return made
  }
}

import type { Statement } from '../../backend.ts'

/** Shapes of rows that one root field has been given: more than these are not worth searching for. */
const most = 64

/** Statements of one root field that depend on the rows it is given, by what shapes them. */
export class StatementCache {
  readonly #statements = new Map<string, Statement>()

  /** Null: it is not kept. */
  find(key: string | null): Statement | null {
    return (key !== null && this.#statements.get(key)) || null
  }

  keep(key: string | null, made: Statement): Statement {
    if (key === null) return made
    this.#statements.set(key, made)
    if (this.#statements.size > most)
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest)
        break
      }
    return made
  }
}

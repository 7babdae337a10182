import type { Statement } from '../../backend.ts'

/** How many shapes of rows one root field remembers: more are not worth searching. */
const most = 64

/** Statements of one root field that depend on its rows, by what shapes them. */
export class StatementCache {
  readonly #statements = new Map<string, Statement>()

  /** Null: it is not cached. */
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

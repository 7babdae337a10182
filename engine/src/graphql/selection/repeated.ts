import type { Path } from '../../errors.ts'
import type { GraphqlSettings } from '../settings.ts'
import { countInput } from './context.ts'

/**
 * Rows and updates that an operation reads again. A document may have one variable in thousands of places, so the size of
 * a request does not bound how many these are.
 */
export class Repeated {
  readonly #seen = new Set<unknown>()
  readonly #counted: Parameters<typeof countInput>[0]

  constructor(settings: GraphqlSettings) {
    this.#counted = { inputNodes: 0, settings }
  }

  /** Whether a row, or a variable as a whole, has not been read yet. */
  isFirst(of: unknown): boolean {
    return this.#seen.size < this.#seen.add(of).size
  }

  /** Throws validation-failed where too many are read again. */
  count(row: unknown, path: Path): void {
    if (!this.isFirst(row)) countInput(this.#counted, path)
  }
}

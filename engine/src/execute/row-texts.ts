import type { TypeSystem } from '../backends/index.ts'
import { Path } from '../errors.ts'
import type { Value } from '../ir/index.ts'
import type { LongWork } from '../long-work.ts'
import { take } from './allowance.ts'
import { type Bindings, bindLong } from './bind.ts'
import { textType } from './write-step.ts'

/** How the rows of one request become texts. */
export class RowTexts {
  readonly #types: TypeSystem
  readonly #bindings: Bindings

  constructor(types: TypeSystem, bindings: Bindings) {
    this.#types = types
    this.#bindings = bindings
  }

  /** Of a constant, of which there may be 100,000. */
  constant(text: string | null): string | null {
    if (text !== null) take(this.#bindings.allowance, text.length)
    return text
  }

  bind(value: Value): LongWork<string | null> {
    return bindLong(value, this.#types, this.#bindings)
  }

  /** Texts as one text of the database: a list. */
  *list(members: readonly (string | null)[]): LongWork<string> {
    return (yield* this.#types.coerceLong({ ...textType, list: true }, members, Path.root)) ?? '{}'
  }
}

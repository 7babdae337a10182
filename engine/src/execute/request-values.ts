import type { RequestValues, TypeSystem } from '../backends/index.ts'
import { Path } from '../errors.ts'
import type { Value } from '../ir/index.ts'
import type { LongWork } from '../long-work.ts'
import { spend, valuesAllowance } from './allowance.ts'
import { type Bindings, bindLong, shortText } from './bind.ts'

/** What of a request its writes have in common. */
export interface WrittenNumbers {
  next: number
}

/** The values of a request for a backend's programs. Errors are those of `bindSlots`. */
export class BoundValues implements RequestValues {
  readonly #types: TypeSystem
  readonly #bindings: Bindings
  readonly #numbers: WrittenNumbers

  constructor(types: TypeSystem, bindings: Bindings, numbers: WrittenNumbers) {
    this.#types = types
    this.#bindings = bindings
    this.#numbers = numbers
  }

  short(value: Value): string | null | undefined {
    const text = value.kind === 'constant' ? value.text : shortText(value, this.#types, this.#bindings)
    if (typeof text === 'string') spend(this.#bindings.allowance, text.length)
    return text
  }

  long(value: Value): LongWork<string | null> {
    return bindLong(value, this.#types, this.#bindings)
  }

  counted(text: string | null): string | null {
    if (text !== null) spend(this.#bindings.allowance, text.length)
    return text
  }

  *list(texts: readonly (string | null)[]): LongWork<string> {
    const type = { type: this.#types.common.text, list: true }
    const types = this.#types
    if (!types.coerceLong) return types.coerceInput(type, texts, Path.root) ?? ''
    return (yield* types.coerceLong(type, texts, Path.root)) ?? ''
  }

  number(): number {
    return this.#numbers.next++
  }

  again(): RequestValues {
    const bindings = { ...this.#bindings, allowance: valuesAllowance(Number.POSITIVE_INFINITY) }
    return new BoundValues(this.#types, bindings, this.#numbers)
  }
}

import type { Value, ValueType, Write } from '../ir/index.ts'

/** A write with the texts of its inputs. */
export interface WriteStep {
  readonly write: Write
  readonly inputs: ReadonlyMap<string, string | null>
  /** Where its errors are. */
  readonly path: readonly (string | number)[]
  /** What is wrong where it has to write a row and does not. */
  readonly empty: string | null
  /** Equal keys of one root field have the same statement; null: not worth keeping. */
  readonly key: string | null
}

export const textType: ValueType = {
  type: { schema: 'pg_catalog', name: 'text', kind: 'base', array: false },
  list: false,
}
export const textsType: ValueType = { type: { ...textType.type, array: true }, list: false }

/** What a write is given by this name. */
export const input = (name: string, type = textType): Value & { readonly kind: 'input' } => ({
  kind: 'input',
  name,
  type,
})

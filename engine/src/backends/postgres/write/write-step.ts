import type { Value, ValueType } from '../../../ir/index.ts'
import type { RequestValues } from '../../backend.ts'
import type { WriteStatement } from './write-statement.ts'

/** A statement with the texts of its inputs. */
export interface WriteStep {
  readonly statement: WriteStatement
  readonly inputs: ReadonlyMap<string, string | null>
  /** Where its errors are. */
  readonly path: readonly (string | number)[]
  /** What is wrong where it has to write a row and does not. */
  readonly empty: string | null
  /** Equal keys of one root field have the same statement; null: it is not cached. */
  readonly key: string | null
}

export const textType: ValueType = {
  type: { schema: 'pg_catalog', name: 'text', kind: 'base', array: false },
  list: false,
}
export const textsType: ValueType = { type: { ...textType.type, array: true }, list: false }

/** The value that a statement is run with by this name. */
export const input = (name: string, type = textType): Value & { readonly kind: 'input' } => ({
  kind: 'input',
  name,
  type,
})

/**
 * The name of a setting in which a transaction stores rows: one for each stored set, the same ones in every
 * transaction.
 */
export const savedName = (values: RequestValues): string => `svc.kept_${values.number()}`

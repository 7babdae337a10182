import { type BooleanExpression, type PlainChange, runsUsersCode } from '../../ir/index.ts'
import type { WriteTypes } from '../types/write-types.ts'

/**
 * Returns what is known of the rows that an update or a delete changes; undefined where the database or what the
 * permission says may run something of a user's for them. `set`: the columns that the write assigns.
 */
export function plainChange(
  { table: { table } }: WriteTypes,
  conditions: readonly BooleanExpression[],
  set: readonly { readonly column: string }[] = [],
): PlainChange | undefined {
  if (!table.writesAlone || conditions.some(runsUsersCode)) return undefined
  const key = table.primaryKey?.map(({ name }) => name)
  return { key: key && !set.some(({ column }) => key.includes(column)) ? key : null }
}

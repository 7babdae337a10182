/** The arguments of updates and deletes: conditions, keys. */
import { invalid } from '../../errors.ts'
import { allOf, type BooleanExpression } from '../../ir/index.ts'
import { type GivenArgument, openArgument } from '../selection/arguments.ts'
import type { Context } from '../selection/context.ts'
import { objectEntries } from '../selection/input.ts'
import type { SelectedField } from '../selection/selected-fields.ts'
import type { QueryRootMeaning } from '../types/query-root-type.ts'
import type { DeleteGrant, UpdateGrant } from '../types/write-table.ts'
import type { WriteTypes } from '../types/write-types.ts'
import { keyEquals } from './column-value.ts'
import { inputField } from './input-field.ts'
import type { PlannedValidation } from './operation-plan.ts'
import { keyColumns } from './plan-connection.ts'
import { planWhere } from './plan-where.ts'

export type Root = SelectedField<QueryRootMeaning>

export interface Shared {
  readonly responseKey: string
  readonly source: string
}

export interface SharedWrites extends Shared {
  readonly validation: PlannedValidation | null
}

/** Returns the permission, which the role has where the walk reached a field of it. */
export function granted<G extends DeleteGrant | UpdateGrant>(grant: G | null): G {
  if (grant) return grant
  throw new Error('the walk reached a field that the role does not have')
}

/** Plans the `where` of a write, which is required. Throws validation-failed. */
export const planRequiredWhere = (
  context: Context,
  types: WriteTypes,
  { raw, path }: GivenArgument,
): BooleanExpression => planWhere(context, types.selected, raw, path)

/** Plans the condition on a key: by `pk_columns`, or by arguments that are columns of the key. */
export function byKey(context: Context, types: WriteTypes, { args, path }: Root): BooleanExpression {
  const { select, types: named } = types.table
  const given = args.get('pk_columns')
  const values = new Map([...args].map(([name, { raw, path: at }]) => [name, { raw, path: at }] as const))
  if (given) {
    const type = types.keyInput()
    const input = openArgument(context, given)
    for (const { key, raw } of objectEntries(context, input, type.name, given.path)) {
      inputField(type, key, given.path.at(key))
      values.set(key, { raw, path: given.path.at(key) })
    }
  }
  return allOf(
    keyColumns(select).map((column) => {
      const value = values.get(column.field)
      if (!value)
        throw invalid((given?.path ?? path.at('args')).at(column.field), `missing required field '${column.field}'`)
      return keyEquals(context, column, value.raw, named, value.path)
    }),
  )
}

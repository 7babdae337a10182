/** The arguments of updates and deletes: conditions, keys. */
import { invalid } from '../../errors.ts'
import { allOf, type BooleanExpression } from '../../ir/index.ts'
import type { GivenArgument } from '../selection/arguments.ts'
import type { Context } from '../selection/context.ts'
import { objectEntries, open } from '../selection/input.ts'
import type { SelectedField } from '../selection/selected-fields.ts'
import type { QueryRootMeaning } from '../types/query-root-type.ts'
import type { DeleteGrant, UpdateGrant } from '../types/write-table.ts'
import type { WriteTypes } from '../types/write-types.ts'
import { inputField } from './input-field.ts'
import { keyEquals } from './key-equals.ts'
import type { PlannedValidation } from './plan.ts'
import { planWhere } from './plan-where.ts'

export type Root = SelectedField<QueryRootMeaning>

export interface Shared {
  readonly responseKey: string
  readonly source: string
}

export interface SharedWrites extends Shared {
  readonly validation: PlannedValidation | null
}

/** Returns an argument that the schema requires. */
export function required({ args, path }: Root, name: string): GivenArgument {
  const given = args.get(name)
  if (given) return given
  throw invalid(path.at('args', name), `missing required field '${name}'`)
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
    const input = open(context, given.raw, given.field.type, false, given.path)
    for (const { key, raw } of objectEntries(context, input, type.name, given.path)) {
      inputField(type, key, given.path.at(key))
      values.set(key, { raw, path: given.path.at(key) })
    }
  }
  return allOf(
    (types.table.table.primaryKey ?? []).map((column) => {
      const value = values.get(column.field)
      if (!value)
        throw invalid((given?.path ?? path.at('args')).at(column.field), `missing required field '${column.field}'`)
      const own = select.columns.find(({ name }) => name === column.name)
      return keyEquals(context, own ?? { ...column, mask: null }, value.raw, named, value.path)
    }),
  )
}

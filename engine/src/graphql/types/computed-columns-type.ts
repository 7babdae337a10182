import type { DatabaseType } from '../../ir/index.ts'
import { generatedType, type ResolvedComputedField } from '../../model/index.ts'
import type { RoleTable } from './role-table.ts'
import { databaseTypeRef } from './scalar-types.ts'
import { byName, noArguments, type ObjectType } from './type.ts'

/** A column of rows that are of no table. */
export interface ResultColumn {
  readonly name: string
  readonly type: DatabaseType
}

const made = new WeakMap<ResolvedComputedField['returns'], ObjectType<ResultColumn>>()

/** `<cf>_fields`, what a table function returns that says so itself; null for other computed fields. */
export function computedColumnsType(
  { table: { naming }, types }: RoleTable,
  { name, returns }: ResolvedComputedField,
): ObjectType<ResultColumn> | null {
  if (returns.kind !== 'columns') return null
  const known = made.get(returns)
  if (known) return known
  const type: ObjectType<ResultColumn> = {
    kind: 'OBJECT',
    name: generatedType(naming, name, 'fields'),
    description: null,
    fields: byName(
      returns.columns.map((column) => ({
        name: column.name,
        description: null,
        args: noArguments,
        type: databaseTypeRef(types, column.type),
        meaning: column,
      })),
    ),
  }
  made.set(returns, type)
  return type
}

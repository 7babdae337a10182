import type { DatabaseType } from '../../ir/index.ts'
import { keptFor } from '../../kept-for.ts'
import { generatedType, type ResolvedComputedField } from '../../model/index.ts'
import type { RoleTable } from './role-table.ts'
import { databaseTypeRef } from './scalar-types.ts'
import { namedField, type ObjectType, objectType } from './type.ts'

/** A column of rows that are of no table. */
export interface ResultColumn {
  readonly name: string
  readonly type: DatabaseType
}

type Returned = Extract<ResolvedComputedField['returns'], { readonly kind: 'columns' }>

const columnsType = keptFor(({ columns }: Returned, name: string, types: RoleTable['types']) =>
  objectType<ResultColumn>(
    name,
    null,
    columns.map((column) => namedField(column.name, null, databaseTypeRef(types, column.type), column)),
  ),
)

/** `<cf>_fields`, what a table function returns that says so itself; null for other computed fields. */
export function computedColumnsType(
  { table: { naming }, types }: RoleTable,
  { name, returns }: ResolvedComputedField,
): ObjectType<ResultColumn> | null {
  return returns.kind === 'columns' ? columnsType(returns, generatedType(naming, name, 'fields'), types) : null
}

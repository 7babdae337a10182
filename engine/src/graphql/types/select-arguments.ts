import { innerName, type NamedTypes } from './named-types.ts'
import type { RoleTable } from './role-table.ts'
import { intRef } from './scalar-types.ts'
import { tableTypeName } from './table-names.ts'
import { tablePartRef } from './table-part-ref.ts'
import {
  byName,
  type EnumType,
  enumOf,
  type InputField,
  listOf,
  namedInput,
  nonNull,
  refTo,
  type TypeRef,
} from './type.ts'

const enums = new WeakMap<RoleTable, WeakRef<EnumType>>()

/** `T_select_column` (reference/graphql-schema#generated-types); null where the role may select no column. */
export function columnEnum(table: RoleTable): EnumType | null {
  if (table.columns.length === 0) return null
  const known = enums.get(table)?.deref()
  if (known) return known
  const made: EnumType = enumOf(
    tableTypeName(table, 'select_column'),
    `select columns of table "${shownName(table)}"`,
    table.columns.map((column) => ({ name: column.field, description: 'column name' })),
  )
  enums.set(table, new WeakRef(made))
  return made
}

/** `schema.name`, the default schema left out (reference/graphql-schema#descriptions). */
export const shownName = ({ table: { table }, types }: RoleTable): string => types.names.shown(table)

const argumentLists = new WeakMap<RoleTable, WeakRef<ReadonlyMap<string, InputField<unknown>>>>()

/** distinct_on, limit, offset, order_by, where (reference/graphql-schema#object-types). */
export function selectArguments(table: RoleTable): ReadonlyMap<string, InputField<unknown>> {
  const known = argumentLists.get(table)?.deref()
  if (known) return known
  const columns = columnEnum(table)
  const orderable =
    table.columns.length > 0 || table.table.relationships.size > 0 || table.table.computedFields.size > 0
  const made = byName([
    ...(columns && table.types.features.distinctOn
      ? [
          respelledArgument(
            table.types,
            'distinct_on',
            'distinct select on columns',
            listOf(nonNull({ ...refTo(columns), table: table.table.id })),
          ),
        ]
      : []),
    argument('limit', 'limit the number of rows returned', intRef),
    argument('offset', 'skip the first n rows. Use only with order_by', intRef),
    ...(orderable
      ? [
          respelledArgument(
            table.types,
            'order_by',
            'sort the rows by one or more columns',
            listOf(nonNull(tablePartRef(table, 'order'))),
          ),
        ]
      : []),
    argument('where', 'filter the rows returned', tablePartRef(table, 'boolean')),
  ])
  argumentLists.set(table, new WeakRef(made))
  return made
}

/** An argument that a naming convention may respell. */
export const respelledArgument = (
  types: NamedTypes,
  key: string,
  description: string | null,
  type: TypeRef,
): InputField<unknown> => ({ ...argument(innerName(types, key), description, type), key })

export const argument = (name: string, description: string | null, type: TypeRef): InputField<unknown> =>
  namedInput(name, type, null, description)

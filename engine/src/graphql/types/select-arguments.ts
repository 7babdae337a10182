import { innerName, type NamedTypes } from './named-types.ts'
import type { RoleTable } from './role-table.ts'
import { intRef } from './scalar-types.ts'
import { tableTypeName } from './table-names.ts'
import { tablePartRef } from './table-part-ref.ts'
import {
  argument,
  byName,
  type EnumType,
  enumOf,
  type Field,
  type InputField,
  listOf,
  namedField,
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

/** How rows are shown behind a key: the one row, a list, or an aggregate of what is in that list. */
export type RowsForm = 'object' | 'array' | 'aggregate'

/**
 * Returns the fields for the rows of a table behind keys that something else than its source has. All of them may be null,
 * since a key may be (reference/actions#relationships). `to`: the end of their descriptions.
 */
export function keyedRowsFields<M>(
  name: string,
  form: 'object' | 'array',
  target: RoleTable,
  to: string,
  meaning: (as: RowsForm) => M,
): readonly Field<M>[] {
  const row = tablePartRef(target, 'row')
  if (form === 'object') return [namedField(name, `An object relationship${to}`, row, meaning('object'))]
  const args = selectArguments(target)
  const list = namedField(name, `An array relationship${to}`, listOf(nonNull(row)), meaning('array'), args)
  if (!target.allowAggregations) return [list]
  const type = tablePartRef(target, 'aggregate')
  return [list, namedField(`${name}_aggregate`, `An aggregate relationship${to}`, type, meaning('aggregate'), args)]
}

/** Returns an argument that a naming convention may respell. */
export const respelledArgument = (
  types: NamedTypes,
  key: string,
  description: string | null,
  type: TypeRef,
): InputField<null> => ({ ...argument(innerName(types, key), description, type), key })

import type { TableId } from '../../model/index.ts'
import type { RoleTable } from './role-table.ts'
import { predicateTypeName, tableTypeName } from './table-names.ts'
import type { TableTypes } from './table-types.ts'
import type { NamedRef, NamedType, TypeSource } from './type.ts'

const parts = {
  row: { parts: [], kind: 'OBJECT', of: (types: TableTypes): NamedType => types.row() },
  aggregate: { parts: ['aggregate'], kind: 'OBJECT', of: (types: TableTypes): NamedType => types.aggregate() },
  boolean: { parts: ['bool_exp'], kind: 'INPUT_OBJECT', of: (types: TableTypes): NamedType => types.boolean() },
  order: { parts: ['order_by'], kind: 'INPUT_OBJECT', of: (types: TableTypes): NamedType => types.order() },
  aggregateOrder: {
    parts: ['aggregate_order_by'],
    kind: 'INPUT_OBJECT',
    of: (types: TableTypes): NamedType => types.aggregateOrder(),
  },
} as const

/** A reference to `T_aggregate_bool_exp`, which is named otherwise than the rest. */
export const aggregateBooleanRef = (table: RoleTable): NamedRef => ({
  kind: 'named',
  name: predicateTypeName(table, 'aggregate_bool_exp'),
  typeKind: 'INPUT_OBJECT',
  table: table.table.id,
  find: (source) => typesIn(source, table.table.id).aggregateBoolean(),
})

function typesIn(source: TypeSource, id: TableId): TableTypes {
  // a table that is only written to has a type of conditions all the same
  const found = source.tableTypes(id) ?? source.writeTypes(id)?.selected
  if (!found) throw new Error(`the types of table ${id} left the schema that refers to them`)
  return found
}

/** A reference to a type of a table, perhaps another one: found through the schema, so a type never holds its neighbours. */
export function tablePartRef(table: RoleTable, part: keyof typeof parts): NamedRef {
  const { parts: own, kind, of } = parts[part]
  const id: TableId = table.table.id
  return {
    kind: 'named',
    name: tableTypeName(table, ...own),
    typeKind: kind,
    table: id,
    find: (source) => of(typesIn(source, id)),
  }
}

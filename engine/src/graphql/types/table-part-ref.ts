import type { TableId } from '../../model/index.ts'
import type { RoleTable } from './role-table.ts'
import { predicateTypeName, tableTypeName } from './table-names.ts'
import type { TableTypes } from './table-types.ts'
import { lazyRef, type NamedRef, type NamedType, type TypeSource } from './type.ts'
import type { WriteTable } from './write-table.ts'
import type { WriteTypes } from './write-types.ts'

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

const writeParts = {
  insertInput: { name: 'insert_input', kind: 'INPUT_OBJECT', of: (types: WriteTypes) => types.insertInput() },
  objectInsert: { name: 'obj_rel_insert_input', kind: 'INPUT_OBJECT', of: (types: WriteTypes) => types.objectInsert() },
  arrayInsert: { name: 'arr_rel_insert_input', kind: 'INPUT_OBJECT', of: (types: WriteTypes) => types.arrayInsert() },
  response: { name: 'mutation_response', kind: 'OBJECT', of: (types: WriteTypes) => types.response() },
} as const

/**
 * Returns a reference to a type of a table, perhaps another one: it is found through the schema, so a type never holds its
 * neighbours.
 */
export function tablePartRef(table: RoleTable, part: keyof typeof parts): NamedRef {
  const { parts: own, kind, of } = parts[part]
  const { id } = table.table
  return lazyRef(tableTypeName(table, ...own), kind, (source) => of(typesIn(source, id)), id)
}

/** Returns a reference to `T_aggregate_bool_exp`, which is named otherwise than the rest. */
export function aggregateBooleanRef(table: RoleTable): NamedRef {
  const { id } = table.table
  const name = predicateTypeName(table, 'aggregate_bool_exp')
  return lazyRef(name, 'INPUT_OBJECT', (source) => typesIn(source, id).aggregateBoolean(), id)
}

/** Returns a reference to a type of writing to a table, found through the schema. */
export function writePartRef({ select }: WriteTable, part: keyof typeof writeParts): NamedRef {
  const { name, kind, of } = writeParts[part]
  const { id } = select.table
  const find = (source: TypeSource) => {
    const found = source.writeTypes(id)
    if (!found) throw new Error(`the types of writing to ${id} left the schema that refers to them`)
    return of(found)
  }
  return lazyRef(tableTypeName(select, name), kind, find, id)
}

function typesIn(source: TypeSource, id: TableId): TableTypes {
  // a table that is only written to has a type of conditions all the same
  const found = source.tableTypes(id) ?? source.writeTypes(id)?.selected
  if (!found) throw new Error(`the types of table ${id} left the schema that refers to them`)
  return found
}

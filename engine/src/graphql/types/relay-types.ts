/** What Relay's schema has in addition to the types of tables: Node, PageInfo, connections and their edges. */
import { typeName } from '../../model/index.ts'
import type { RoleTable } from './role-table.ts'
import { booleanRef, idRef, intRef, stringRef } from './scalar-types.ts'
import { argument, selectArguments } from './select-arguments.ts'
import { tableTypeName } from './table-names.ts'
import { tablePartRef } from './table-part-ref.ts'
import type { TableTypes } from './table-types.ts'
import {
  byName,
  type Field,
  type InputField,
  type InterfaceType,
  listOf,
  type NamedRef,
  noArguments,
  nonNull,
  type ObjectType,
  refTo,
  type TypeRef,
} from './type.ts'

/** Rows that a key identifies can be found again, so they are nodes. */
export const isNode = ({ table, types }: RoleTable): boolean => types.features.relay && table.primaryKey !== null

const plainField = <M>(name: string, type: TypeRef, meaning: M, description: string | null = null): Field<M> => ({
  name,
  description,
  args: noArguments,
  type,
  meaning,
})

export const nodeInterface: InterfaceType = {
  kind: 'INTERFACE',
  name: 'Node',
  description: 'An object with globally unique ID',
  fields: byName([plainField('id', nonNull(idRef), null, 'A globally unique identifier')]),
}

export type PageInfoMeaning = 'start-cursor' | 'end-cursor' | 'has-next-page' | 'has-previous-page'

export const pageInfoType: ObjectType<PageInfoMeaning> = {
  kind: 'OBJECT',
  name: 'PageInfo',
  description: null,
  fields: byName<Field<PageInfoMeaning>>([
    plainField('endCursor', nonNull(stringRef), 'end-cursor'),
    plainField('hasNextPage', nonNull(booleanRef), 'has-next-page'),
    plainField('hasPreviousPage', nonNull(booleanRef), 'has-previous-page'),
    plainField('startCursor', nonNull(stringRef), 'start-cursor'),
  ]),
}

export type ConnectionMeaning = 'edges' | 'page-info'
export type EdgeMeaning = 'cursor' | 'node'

/** `authorConnection`, `authorEdge`: joined without an underscore in every convention. */
function relayTypeName(table: RoleTable, part: 'Connection' | 'Edge'): string {
  const { naming, baseName } = table.table
  const base = baseName === null ? '' : typeName(naming.convention, baseName)
  return tableTypeName({ ...table, table: { ...table.table, baseName: { custom: `${base}${part}` } } })
}

/** `TEdge` */
export const edgeType = ({ table }: TableTypes): ObjectType<EdgeMeaning> => ({
  kind: 'OBJECT',
  name: relayTypeName(table, 'Edge'),
  description: null,
  fields: byName<Field<EdgeMeaning>>([
    plainField('cursor', nonNull(stringRef), 'cursor'),
    plainField('node', nonNull(tablePartRef(table, 'row')), 'node'),
  ]),
})

/** `TConnection` */
export const connectionType = (types: TableTypes): ObjectType<ConnectionMeaning> => ({
  kind: 'OBJECT',
  name: relayTypeName(types.table, 'Connection'),
  description: `A Relay connection object on "${types.table.name}"`,
  fields: byName<Field<ConnectionMeaning>>([
    plainField('edges', nonNull(listOf(nonNull(relayRef(types.table, 'Edge')))), 'edges'),
    plainField('pageInfo', nonNull(refTo(pageInfoType)), 'page-info'),
  ]),
})

function relayRef(table: RoleTable, part: 'Connection' | 'Edge'): NamedRef {
  const { id } = table.table
  return {
    kind: 'named',
    name: relayTypeName(table, part),
    typeKind: 'OBJECT',
    find: (source) => {
      const found = source.tableTypes(id)
      if (!found) throw new Error(`the types of table ${id} left the schema that refers to them`)
      return part === 'Edge' ? edgeType(found) : connectionType(found)
    },
  }
}

/** A field that is a connection to the rows of a table. `args`: those of the function that returns the rows. */
export const connectionField = <M>(
  name: string,
  description: string | null,
  table: RoleTable,
  meaning: M,
  args: readonly InputField<unknown>[] = [],
): Field<M> => ({
  name,
  description,
  args: args.length > 0 ? byName([...args, ...connectionArguments(table).values()]) : connectionArguments(table),
  type: nonNull(relayRef(table, 'Connection')),
  meaning,
})

/** after, before, first, last, and of the arguments of lists all but limit and offset. */
function connectionArguments(table: RoleTable): ReadonlyMap<string, InputField<unknown>> {
  const shared = [...selectArguments(table).values()].filter(({ name }) => name !== 'limit' && name !== 'offset')
  return byName([
    argument('after', null, stringRef),
    argument('before', null, stringRef),
    argument('first', null, intRef),
    argument('last', null, intRef),
    ...shared,
  ])
}

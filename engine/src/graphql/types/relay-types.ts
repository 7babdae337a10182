/** What Relay's schema has in addition to the types of tables: Node, PageInfo, connections and their edges. */
import { typeName } from '../../model/index.ts'
import type { RoleTable } from './role-table.ts'
import { booleanRef, idRef, intRef, stringRef } from './scalar-types.ts'
import { selectArguments } from './select-arguments.ts'
import { tableTypeName } from './table-names.ts'
import { tablePartRef } from './table-part-ref.ts'
import type { TableTypes } from './table-types.ts'
import {
  argument,
  byName,
  type Field,
  type InputField,
  type InterfaceType,
  lazyRef,
  listOf,
  type NamedRef,
  namedField,
  nonNull,
  type ObjectType,
  objectType,
  refTo,
} from './type.ts'

/** Returns whether rows are nodes: those that a key identifies can be found again. */
export const isNode = ({ table, types }: RoleTable): boolean => types.features.relay && table.primaryKey !== null

export const nodeInterface: InterfaceType = {
  kind: 'INTERFACE',
  name: 'Node',
  description: 'An object with globally unique ID',
  fields: byName([namedField('id', 'A globally unique identifier', nonNull(idRef), null)]),
}

export type PageInfoMeaning = 'start-cursor' | 'end-cursor' | 'has-next-page' | 'has-previous-page'

export const pageInfoType = objectType<PageInfoMeaning>('PageInfo', null, [
  namedField('endCursor', null, nonNull(stringRef), 'end-cursor'),
  namedField('hasNextPage', null, nonNull(booleanRef), 'has-next-page'),
  namedField('hasPreviousPage', null, nonNull(booleanRef), 'has-previous-page'),
  namedField('startCursor', null, nonNull(stringRef), 'start-cursor'),
])

export type ConnectionMeaning = 'edges' | 'page-info'
export type EdgeMeaning = 'cursor' | 'node'

/** `authorConnection`, `authorEdge`: joined without an underscore in every convention. */
function relayTypeName(table: RoleTable, part: 'Connection' | 'Edge'): string {
  const { naming, baseName } = table.table
  const base = baseName === null ? '' : typeName(naming.convention, baseName)
  return tableTypeName({ ...table, table: { ...table.table, baseName: { custom: `${base}${part}` } } })
}

/** `TEdge` */
export const edgeType = ({ table }: TableTypes): ObjectType<EdgeMeaning> =>
  objectType<EdgeMeaning>(relayTypeName(table, 'Edge'), null, [
    namedField('cursor', null, nonNull(stringRef), 'cursor'),
    namedField('node', null, nonNull(tablePartRef(table, 'row')), 'node'),
  ])

/** `TConnection` */
export const connectionType = (types: TableTypes): ObjectType<ConnectionMeaning> =>
  objectType<ConnectionMeaning>(
    relayTypeName(types.table, 'Connection'),
    `A Relay connection object on "${types.table.name}"`,
    [
      namedField('edges', null, nonNull(listOf(nonNull(relayRef(types.table, 'Edge')))), 'edges'),
      namedField('pageInfo', null, nonNull(refTo(pageInfoType)), 'page-info'),
    ],
  )

function relayRef(table: RoleTable, part: 'Connection' | 'Edge'): NamedRef {
  const { id } = table.table
  return lazyRef(relayTypeName(table, part), 'OBJECT', (source) => {
    const found = source.tableTypes(id)
    if (!found) throw new Error(`the types of table ${id} left the schema that refers to them`)
    return part === 'Edge' ? edgeType(found) : connectionType(found)
  })
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

/** Returns after, before, first, last, and the arguments of lists without limit and offset. */
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

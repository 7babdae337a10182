import { address, type JsonObject, type ObjectAddress, type ObjectType, ownKey, tableText } from '@svc/schema'
import type { QualifiedName } from '../ir/index.ts'
import type { TableId } from './object-ids.ts'

/** The id of the table an address names, or of the table that the object hangs below. */
export function tableIdOf(at: ObjectAddress): TableId {
  const table = at.type === 'table' ? at : at.parent
  const id = (table && ids.get(table)) ?? `${table?.parent?.own ?? ''}/${table?.own ?? ''}`
  if (table) ids.set(table, id)
  return id
}

/** An id is requested several times for each object below a table, and a text that is not new needs no new hash. */
const ids = new WeakMap<ObjectAddress, TableId>()

export const tableOwn = (table: QualifiedName): string =>
  ownKey('table', { table: { schema: table.schema, name: table.name } })

export const functionOwn = ({ schema, name }: QualifiedName): string =>
  ownKey('function', { function: { schema, name } })

/** A table of the same source as `near`. */
export const siblingTableId = (near: TableId, table: QualifiedName): TableId =>
  `${near.slice(0, near.indexOf('/'))}/${tableOwn(table)}`

/** Own keys escape `/`, so the first one ends the source, and none begins with one: `//model/…` and `//query/…` are no tables. */
export function addressOfTable(id: TableId): ObjectAddress {
  const end = id.indexOf('/')
  const [own, source] = [id.slice(end + 1), address('source', id.slice(0, end))]
  if (own.startsWith('/model/')) return address('logical_model', own.slice('/model/'.length), source)
  if (own.startsWith('/query/')) return address('native_query', own.slice('/query/'.length), source)
  return address('table', own, source)
}

export const addressOfFunction = (id: string): ObjectAddress => addressInSource('function', id)
export const addressOfNativeQuery = (type: 'native_query' | 'stored_procedure', id: string): ObjectAddress =>
  addressInSource(type, id)

function addressInSource(type: ObjectType, id: string): ObjectAddress {
  const end = id.indexOf('/')
  return address(type, id.slice(end + 1), address('source', id.slice(0, end)))
}

/** The own keys from the top, which escape `/`: of a table its TableId, of a function its FunctionId. */
export const objectId = ({ own, parent }: ObjectAddress): string => (parent ? `${objectId(parent)}/${own}` : own)

/** `"schema.name"` as texts quote it; a default schema is left out. */
export const quotedTable = (table: QualifiedName | JsonObject): string => `"${tableText(table)}"`

/** The canonical name of a document's table as a database name. Other backends' names come as they are. */
export function qualifiedNameOf(table: JsonObject): QualifiedName {
  return { schema: String(table.schema ?? table.dataset ?? ''), name: String(table.name ?? '') }
}

import { address, type JsonObject, ownKey, sourceAddress } from '@svc/schema'
import type { TableId } from '../object-ids.ts'
import type { Lookup } from '../resolve/resolve-context.ts'
import { tableIdOf } from '../table-id.ts'
import { type NewNames, sortedEntries } from './rewrite-expression.ts'

/** All names are those of before: renames happen at once, so a ring of them (a to b, b to a) needs no detour. */
export interface DatabaseRenames {
  readonly tables: readonly { readonly from: JsonObject; readonly to: JsonObject }[]
  readonly columns: readonly { readonly table: JsonObject; readonly from: string; readonly to: string }[]
}

/** What the value of one object is rewritten with. */
export interface Renaming {
  /** The table it is, or hangs below, if that is one of the source whose names changed. */
  readonly own: TableId | null
  readonly names: DatabaseNames
  readonly lookup: Lookup
}

/** The new names of tables and columns of one source. */
export interface DatabaseNames extends NewNames {
  readonly source: string
  idOf(table: JsonObject): TableId
  /** Whether the table or one of its columns has a new name. */
  concerns(table: TableId): boolean
}

export function databaseNames(source: string, renames: DatabaseRenames): DatabaseNames {
  const idOf = (table: JsonObject) => tableIdOf(address('table', ownKey('table', { table }), sourceAddress(source)))
  const tables = new Map(renames.tables.map(({ from, to }) => [idOf(from), sortedEntries(Object.entries(to))]))
  const columns = new Map<TableId, Map<string, string>>()
  for (const { table, from, to } of renames.columns) {
    const ofTable = columns.get(idOf(table)) ?? new Map<string, string>()
    columns.set(idOf(table), ofTable.set(from, to))
  }
  return {
    source,
    idOf,
    concerns: (table) => tables.has(table) || columns.has(table),
    field: (table, name) => columns.get(table)?.get(name) ?? name,
    table: (name) => tables.get(idOf(name)) ?? name,
  }
}

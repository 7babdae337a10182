import { ownKey } from '@svc/schema'
import type { QualifiedName } from '../../../ir/index.ts'
import type { DatabaseTable, Introspection } from '../../backend.ts'
import { print, type Sql, sql } from '../../sql.ts'
import { type ListSlot, listTables, readTables, type Scope } from './catalogue.ts'
import { tableJson, tableOfRow } from './table-row.ts'

/** Runs a statement of the catalogue and gives its rows as text. `name`: it is worth keeping prepared. */
export type Ask = (
  text: string,
  parameters: readonly ListSlot[],
  name?: string,
) => Promise<readonly (readonly (string | null)[])[]>

/**
 * What the database holds. With `previous`, only tables whose fingerprint differs are read again, and `previous` itself
 * is the answer when there are none. With `only`, nothing but those tables is looked at; the missing among them leave.
 */
export async function introspect(
  ask: Ask,
  previous: Introspection | null,
  only?: readonly QualifiedName[],
): Promise<Introspection> {
  if (only) return await refreshNamed(ask, previous, only)
  if (previous) return await refreshAll(ask, previous)
  const tables = (await read(ask, { kind: 'all' })).map((table) => [keyOf(table.table), table] as const)
  return { tables: new Map(tables), serverVersion: await serverVersion(ask) }
}

/** The key of a table in `Introspection.tables`. */
export const keyOf = (table: QualifiedName): string => ownKey('table', { table: tableJson(table) })

async function refreshNamed(
  ask: Ask,
  previous: Introspection | null,
  only: readonly QualifiedName[],
): Promise<Introspection> {
  const scope: Scope = {
    kind: 'names',
    schemas: only.map(({ schema }) => schema),
    names: only.map(({ name }) => name),
  }
  const found = new Map((await read(ask, scope, 'svc_read_named_tables')).map((table) => [keyOf(table.table), table]))
  const tables = new Map(previous?.tables)
  let changed = false
  for (const key of only.map(keyOf)) {
    const table = found.get(key)
    if (table?.fingerprint === tables.get(key)?.fingerprint) continue
    changed = true
    if (table) tables.set(key, table)
    else tables.delete(key)
  }
  if (!previous) return { tables, serverVersion: await serverVersion(ask) }
  return changed ? { ...previous, tables } : previous
}

async function refreshAll(ask: Ask, previous: Introspection): Promise<Introspection> {
  const listed = await run(ask, listTables({ kind: 'all' }))
  const entries = listed.map(([oid, schema, name, fingerprint]) => {
    const key = keyOf({ schema: schema ?? '', name: name ?? '' })
    const known = previous.tables.get(key)
    return { key, oid: oid ?? '', known: known?.fingerprint === fingerprint ? known : undefined }
  })
  const changed = entries.filter(({ known }) => !known).map(({ oid }) => oid)
  if (changed.length === 0 && entries.length === previous.tables.size) return previous
  const changedTables = changed.length === 0 ? [] : await read(ask, { kind: 'oids', oids: changed })
  const reread = new Map(changedTables.map((table) => [keyOf(table.table), table]))
  const tables = new Map<string, DatabaseTable>()
  for (const { key, known } of entries) {
    // not read after all: dropped between the two questions
    const table = known ?? reread.get(key)
    if (table) tables.set(key, table)
  }
  return { ...previous, tables }
}

async function read(ask: Ask, scope: Scope, name?: string): Promise<readonly DatabaseTable[]> {
  return (await run(ask, readTables(scope), name)).map(tableOfRow)
}

async function serverVersion(ask: Ask): Promise<number> {
  const [row] = await run(ask, sql`SELECT pg_catalog.current_setting('server_version_num')`)
  return Number(row?.[0])
}

function run(ask: Ask, fragment: Sql<ListSlot>, name?: string) {
  const { text, slots } = print(fragment)
  return ask(text, slots, name)
}

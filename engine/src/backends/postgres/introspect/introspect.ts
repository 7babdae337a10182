import { ownKey } from '@svc/schema'
import type { QualifiedName } from '../../../ir/index.ts'
import { type LongWork, Stretches } from '../../../long-work.ts'
import type { DatabaseTable, Introspection } from '../../backend.ts'
import { sql } from '../../sql.ts'
import type { Ask } from './ask.ts'
import { areMany, listTables, readTables, type Scope } from './catalogue.ts'
import type { CatalogueMark } from './catalogue-totals.ts'
import { changesSince } from './changes-since.ts'
import { changesWithin } from './changes-within.ts'
import { tableJson, tableOfRow } from './table-row.ts'

/**
 * Returns what the database contains. With `previous`, only tables of which something was written since are read again,
 * and `previous` itself is the answer when nothing at all was, of functions and types neither. With `only`, nothing but
 * those tables is read; those that do not exist are removed.
 */
export async function introspect(
  ask: Ask,
  previous: Introspection | null,
  only?: readonly QualifiedName[],
): Promise<Introspection> {
  if (only) return await refreshNamed(ask, previous, only)
  const mark = previous ? marks.get(previous) : undefined
  // before what is read: what is written meanwhile is found the next time
  const { mark: now, relations, isNothing } = await changesSince(ask, mark ?? null, previous?.tables ?? new Map())
  if (previous && isNothing) {
    marks.set(previous, now)
    return previous
  }
  const next = await nextOf(ask, previous, relations)
  marks.set(next, now)
  return next
}

/**
 * Returns what the database contains within the transaction `begun`, which is all that has changed since `previous`.
 */
export async function introspectWithin(ask: Ask, previous: Introspection, begun: string): Promise<Introspection> {
  const own = await changesWithin(ask, begun, previous.tables)
  const mark = marks.get(previous)
  if (!own || !mark) return introspect(ask, previous)
  const tables = await refreshSome(ask, previous.tables, own.relations)
  // a renamed table renames its type too, which columns of tables that are not locked may have
  if (tables !== previous.tables && isRenamed(previous.tables, tables, own.relations)) return introspect(ask, previous)
  const next = { ...previous, tables }
  marks.set(next, { ...mark, known: [...mark.known, own.transaction] })
  return next
}

/** The moments that introspections are right for, but for what was read of them later. */
const marks = new WeakMap<Introspection, CatalogueMark>()

async function nextOf(
  ask: Ask,
  previous: Introspection | null,
  relations: ReadonlySet<string> | 'all',
): Promise<Introspection> {
  if (!previous) {
    const tables = (await read(ask, { kind: 'all' })).map((table) => [keyOf(table.table), table] as const)
    return { tables: new Map(tables), serverVersion: await serverVersion(ask) }
  }
  const tables =
    relations === 'all' ? await refreshAll(ask, previous.tables) : await refreshSome(ask, previous.tables, relations)
  return { ...previous, tables }
}

/** The key of a table in `Introspection.tables`. */
const keyOf = (table: QualifiedName): string => ownKey('table', { table: tableJson(table) })

async function refreshNamed(
  ask: Ask,
  previous: Introspection | null,
  only: readonly QualifiedName[],
): Promise<Introspection> {
  const wanted = new Map(only.map((table) => [keyOf(table), table]))
  const scope: Scope = {
    kind: 'names',
    schemas: [...wanted.values()].map(({ schema }) => schema),
    names: [...wanted.values()].map(({ name }) => name),
  }
  const found = new Map((await read(ask, scope)).map((table) => [keyOf(table.table), table]))
  const tables = new Map(previous?.tables)
  let changed = false
  for (const key of wanted.keys()) {
    const table = found.get(key)
    if (table?.fingerprint === tables.get(key)?.fingerprint) continue
    changed = true
    if (table) tables.set(key, table)
    else tables.delete(key)
  }
  if (!previous) return { tables, serverVersion: await serverVersion(ask) }
  if (!changed) return previous
  const next = { ...previous, tables }
  const mark = marks.get(previous)
  if (mark) marks.set(next, mark)
  return next
}

type Tables = Introspection['tables']

async function refreshAll(ask: Ask, previous: Tables): Promise<Tables> {
  const listed = await ask(listTables({ kind: 'all' }))
  const entries = listed.map(([oid, schema, name, fingerprint]) => {
    const key = keyOf({ schema: schema ?? '', name: name ?? '' })
    const known = previous.get(key)
    return { key, oid: oid ?? '', known: known?.fingerprint === fingerprint ? known : undefined }
  })
  const changed = entries.filter(({ known }) => !known).map(({ oid }) => oid)
  if (changed.length === 0 && entries.length === previous.size) return previous
  const changedTables = changed.length === 0 ? [] : await read(ask, { kind: 'oids', oids: changed })
  const reread = new Map(changedTables.map((table) => [keyOf(table.table), table]))
  const tables = new Map<string, DatabaseTable>()
  for (const { key, known } of entries) {
    // not read after all: dropped between the two questions
    const table = known ?? reread.get(key)
    if (table) tables.set(key, table)
  }
  return tables
}

/** The tables with those of these oids read again, and those whose foreign keys name something of them that has another name now. */
async function refreshSome(ask: Ask, previous: Tables, oids: ReadonlySet<string>): Promise<Tables> {
  if (oids.size === 0) return previous
  const olds = new Map([...previous.values()].flatMap((table) => (oids.has(table.oid) ? [[table.oid, table]] : [])))
  const found = await read(ask, { kind: 'oids', oids: [...oids] })
  const moved = new Set(
    found.flatMap((now) => {
      const old = olds.get(now.oid)
      return old && (keyOf(old.table) !== keyOf(now.table) || isColumnRenamed(old, now)) ? [keyOf(old.table)] : []
    }),
  )
  const referring =
    moved.size === 0 ? [] : [...previous.values()].filter((table) => refersTo(table, moved) && !oids.has(table.oid))
  const more = referring.length === 0 ? [] : await read(ask, { kind: 'oids', oids: referring.map(({ oid }) => oid) })
  const now = new Map([...found, ...more].map((table) => [table.oid, table]))
  const asked = new Map([...olds, ...referring.map((table) => [table.oid, table] as const)])
  const changed = [...now.values()].filter((table) => asked.get(table.oid)?.fingerprint !== table.fingerprint)
  const gone = [...asked.values()].filter(({ oid }) => !now.has(oid))
  if (changed.length === 0 && gone.length === 0) return previous
  const tables = new Map(previous)
  // first what leaves: another may have taken its name
  for (const table of [...gone, ...changed.flatMap(({ oid }) => asked.get(oid) ?? [])])
    tables.delete(keyOf(table.table))
  for (const table of changed) tables.set(keyOf(table.table), table)
  return tables
}

const refersTo = ({ foreignKeys }: DatabaseTable, keys: ReadonlySet<string>): boolean =>
  foreignKeys.some(({ target }) => keys.has(keyOf(target)))

function isColumnRenamed(old: DatabaseTable, now: DatabaseTable): boolean {
  const names = new Map(now.columns.map(({ position, name }) => [position, name]))
  return old.columns.some(({ position, name }) => names.has(position) && names.get(position) !== name)
}

function isRenamed(before: Tables, after: Tables, oids: ReadonlySet<string>): boolean {
  const names = new Map([...before].flatMap(([key, { oid }]) => (oids.has(oid) ? [[oid, key]] : [])))
  return [...after].some(([key, { oid }]) => oids.has(oid) && names.has(oid) && names.get(oid) !== key)
}

async function read(ask: Ask, scope: Scope): Promise<readonly DatabaseTable[]> {
  // all of them are read once
  const name =
    scope.kind === 'all' ? undefined : `svc_read_tables_by_${areMany(scope) ? `many_${scope.kind}` : scope.kind}`
  return new Stretches().run(tablesOf(await ask(readTables(scope), name)))
}

/** Sixteen tables of ten columns take 0.2 ms. */
function* tablesOf(rows: Awaited<ReturnType<Ask>>): LongWork<readonly DatabaseTable[]> {
  const tables: DatabaseTable[] = []
  for (const row of rows) if (tables.push(tableOfRow(row)) % 16 === 0) yield 16
  return tables
}

async function serverVersion(ask: Ask): Promise<number> {
  const [row] = await ask(sql`SELECT pg_catalog.current_setting('server_version_num')`)
  return Number(row?.[0])
}

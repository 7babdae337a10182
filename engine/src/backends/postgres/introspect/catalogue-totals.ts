/** Rows of the catalogue by its parts: how many, and what of them was written since a moment. */
import { bind, integer, join, literal, type Sql, sql } from '../../sql.ts'
import type { Ask } from './ask.ts'
import { type ListSlot, ownNamespace } from './catalogue.ts'
import { type CataloguePart, parts } from './catalogue-parts.ts'

/** A moment of a database's catalogue. */
export interface CatalogueMark {
  /** The oldest transaction that ran then; 64 bits. */
  readonly oldest: bigint
  /** What was seen then, as PostgreSQL writes it. */
  readonly snapshot: string
  /** Which server process this is of, and its namespaces: numbers of another one mean nothing here. */
  readonly place: string
  /** By part of the catalogue. */
  readonly totals: ReadonlyMap<string, Total>
  /** Counts did not add up the last time, as where other clients make and drop temporary tables all the time. */
  readonly countsFail: boolean
  /** Later transactions of which all is known: 32 bits. */
  readonly known: readonly string[]
}

/** Of rows that are compared by their keys: how many, and the sum of their hashed keys. */
export interface KeyedTotal {
  readonly count: bigint
  readonly sum: bigint
}

export interface Total extends KeyedTotal {
  /** Rows of whatever kind, and the greatest of their oids. */
  readonly rows: number
  readonly most: bigint
}

export interface Look {
  readonly now: Omit<CatalogueMark, 'countsFail'>
  readonly parts: readonly Part[]
}

/** `counts`: of rows that need not be compared by their keys only how many there are. `name`: prepared under it. */
export async function readTotals(
  ask: Ask,
  mark: CatalogueMark | null,
  counts: boolean,
  name: string | undefined,
): Promise<Look> {
  const [moment = [], ...rows] = await ask(writtenSince(mark, counts), name)
  const found = rows.map(partOfRow)
  const now = {
    oldest: BigInt(moment[1] ?? 0),
    snapshot: moment[2] ?? '',
    place: moment[3] ?? '',
    totals: new Map(found.map(({ name, all }) => [name, all])),
    known: [],
  }
  return { now, parts: found }
}

export interface Part {
  readonly name: string
  readonly all: Total
  readonly written: KeyedTotal
  /** Oids of the relations that what was written is of. */
  readonly relations: readonly string[]
  /** Where rows were only counted: new ones, and oids of those that were written and are not new. */
  readonly news: number
  readonly olds: readonly string[]
}

function partOfRow(row: readonly (string | null)[]): Part {
  const [name, rows, most, count, sum, news, writtenCount, writtenSum, relations, olds] = row
  return {
    name: name ?? '',
    all: { rows: Number(rows), most: BigInt(most ?? 0), count: BigInt(count ?? 0), sum: BigInt(sum ?? 0) },
    written: { count: BigInt(writtenCount ?? 0), sum: BigInt(writtenSum ?? 0) },
    relations: listOf(relations),
    news: Number(news),
    olds: listOf(olds),
  }
}

const listOf = (json: string | null | undefined): readonly string[] =>
  json ? (JSON.parse(json) as readonly (string | number)[]).map(String) : []

/**
 * The moment, [, oldest, snapshot, place]; then a row for each part of the catalogue: [name, the four of a total, of
 * what was written since (nothing without a mark) new rows and the two of a keyed total, relations of which something
 * was written, oids of rows that are not new]. `counts`: of all rows only how many, and the rest of new ones.
 */
function writtenSince(mark: CatalogueMark | null, counts: boolean): Sql<ListSlot> {
  const since = mark ? sinceMark(mark) : sinceEver
  const totals = parts.map((part, i) => (counts && part.most ? countsOf(part, part.most, i) : totalsOf(part)))
  return sql`WITH since AS MATERIALIZED (SELECT ${since}),
own AS MATERIALIZED (SELECT n.oid, n.nspname FROM pg_catalog.pg_namespace n WHERE ${ownNamespace})
SELECT 'moment', pg_catalog.txid_snapshot_xmin(pg_catalog.txid_current_snapshot())::text, pg_catalog.txid_current_snapshot()::text,
  pg_catalog.concat_ws(' ', pg_catalog.pg_postmaster_start_time(), pg_catalog.current_database(),
    (SELECT pg_catalog.string_agg(pg_catalog.concat_ws(':', oid, nspname), ',' ORDER BY oid) FROM own)),
  NULL, NULL, NULL, NULL, NULL, NULL
UNION ALL ${join(totals, sql` UNION ALL `)}`
}

/** A distance between two numbers of 32 bits, which is what the age of a row version is too. */
function sinceMark({ oldest, snapshot, known, totals }: CatalogueMark): Sql<ListSlot> {
  const moment = bind([String(oldest & 0xffffffffn), String(oldest), snapshot])
  const most = bind(parts.map(({ name }) => String(totals.get(name)?.most ?? 0n)))
  return sql`${age(sql`moment[1]::pg_catalog.xid`)} AS age, ${bind(known)}::pg_catalog.xid[] AS known, ${most}::int8[] AS most,
  moment[2]::int8 AS oldest, moment[3]::pg_catalog.txid_snapshot AS snapshot FROM (SELECT ${moment}::text[]) AS given (moment)`
}

const sinceEver: Sql = sql`(-2147483648)::int4 AS age, '{}'::pg_catalog.xid[] AS known, 0::int8 AS oldest,
  '1:1:'::pg_catalog.txid_snapshot AS snapshot`

function totalsOf({ name, from, where, most, key, counted = sql`true`, version, relation }: CataloguePart): Sql {
  const isWritten = isSince(version)
  const relations = sql`pg_catalog.json_agg(DISTINCT (${relation})::int8) FILTER (WHERE ${isWritten} AND ${isUnknown(version)})::text`
  if (!key)
    return sql`(SELECT ${literal(name)}, '0', '0', '0', '0', '0', '0', '0', ${relations}, NULL FROM ${from} WHERE ${isWritten})`
  const written = sql`FILTER (WHERE ${counted} AND ${isWritten})`
  return sql`(SELECT ${literal(name)}, (SELECT pg_catalog.count(*) FROM ${from})::text,
    ${most ? sql`(SELECT pg_catalog.max(${most}) FROM ${from})::text` : sql`'0'`},
    (pg_catalog.count(*) FILTER (WHERE ${counted}))::text, (pg_catalog.sum(${key}) FILTER (WHERE ${counted}))::text,
    '0', (pg_catalog.count(*) ${written})::text, (pg_catalog.sum(${key}) ${written})::text, ${relations}, NULL
    FROM ${from} WHERE ${where})`
}

function countsOf(
  { name, from, where, key, counted = sql`true`, written = where, version, relation }: CataloguePart,
  most: Sql,
  i: number,
) {
  const isNew = sql`(${most})::int8 > (SELECT most[${integer(i + 1)}] FROM since)`
  const news = sql`FILTER (WHERE ${where} AND ${counted} AND ${isNew})`
  return sql`(SELECT ${literal(name)}, (SELECT pg_catalog.count(*) FROM ${from})::text, pg_catalog.max(${most})::text, '0', '0',
    (pg_catalog.count(*) FILTER (WHERE ${isNew}))::text, (pg_catalog.count(*) ${news})::text,
    (pg_catalog.sum(${key ?? sql`0`}) ${news})::text,
    (pg_catalog.json_agg(DISTINCT (${relation})::int8) FILTER (WHERE ${written} AND ${isUnknown(version)}))::text,
    (pg_catalog.json_agg((${most})::int8) FILTER (WHERE NOT ${isNew}))::text
    FROM ${from} WHERE ${isSince(version)})`
}

const isSince = (version: Sql): Sql => sql`${age(version)} <= (SELECT age FROM since)`

/** Neither by a transaction that had ended then, nor by one that all is known of. */
const isUnknown = (version: Sql): Sql => sql`${version} <> ALL ((SELECT known FROM since)::pg_catalog.xid[])
  AND NOT pg_catalog.txid_visible_in_snapshot((SELECT oldest + age FROM since) - ${age(version)}, (SELECT snapshot FROM since))`

const age = (version: Sql): Sql => sql`pg_catalog.age(${version})`

/**
 * What of the catalogue has been written since a look at it: row versions carry the transaction that wrote them, and what is
 * gone changes a count. Each part of the catalogue is read once from end to end: at 5,000 tables all fingerprints take 200 ms,
 * this 25, and 15 where rows are only counted. New rows have oids above all that there were, so the counts add up unless
 * something is gone.
 */
import type { DatabaseTable } from '../../backend.ts'
import { bind, integer, join, literal, print, type Sql, sql } from '../../sql.ts'
import type { Ask } from './ask.ts'
import { type ListSlot, ownNamespace, trackableKinds } from './catalogue.ts'

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
  /** Counts did not add up the last time, as where others make and drop temporary tables all the time. */
  readonly countsFail: boolean
  /** Later transactions of which all is known: 32 bits. */
  readonly known: readonly string[]
}

/** Of rows that are told apart: how many, and the sum of their hashed keys. */
interface KeyedTotal {
  readonly count: bigint
  readonly sum: bigint
}

interface Total extends KeyedTotal {
  /** Rows of whatever kind, and the greatest of their oids. */
  readonly rows: number
  readonly most: bigint
}

export interface CatalogueChanges {
  readonly mark: CatalogueMark
  /** Oids of relations of which something was written; `all`: it cannot be said. */
  readonly relations: ReadonlySet<string> | 'all'
  /** Nothing at all was written: not even what no table shows, as functions and types. */
  readonly isNothing: boolean
}

/** What has been written since `mark`, in relations that `known` is about; null: since ever. */
export async function changesSince(
  ask: Ask,
  mark: CatalogueMark | null,
  known: ReadonlyMap<string, DatabaseTable>,
): Promise<CatalogueChanges> {
  const counts = mark && !mark.countsFail ? await askParts(ask, writtenSince(mark, true), 'svc_counts_since') : null
  const counted = mark && counts && addedUp(mark, counts, known)
  const { now, parts } =
    counted ?? (await askParts(ask, writtenSince(mark, false), mark ? 'svc_changes_since' : undefined))
  const next: CatalogueMark = { ...now, countsFail: counts !== null && !counted }
  const isOther = mark === null || mark.place !== now.place || mark.oldest > now.oldest
  const isSame = ({ name, all, written, relations }: Part) =>
    relations.length === 0 && explained(mark?.totals.get(name), all, written)
  const isGone = ({ name, all, written }: Part) => !explained(mark?.totals.get(name), all, written)
  const ofTables = parts.filter(({ name }) => !beside.has(name))
  if (isOther || ofTables.some(isGone) || concernsOthers(parts, known))
    return { mark: next, relations: 'all', isNothing: false }
  const relations = new Set(ofTables.flatMap((part) => part.relations))
  return { mark: next, relations: withViews(relations, parts, known), isNothing: parts.every(isSame) }
}

interface Look {
  readonly now: Omit<CatalogueMark, 'countsFail'>
  readonly parts: readonly Part[]
}

async function askParts(ask: Ask, question: Sql<ListSlot>, name: string | undefined): Promise<Look> {
  const { text, slots } = print(question)
  const [moment = [], ...rows] = await ask(text, slots, name)
  const parts = rows.map(partOfRow)
  const now = {
    oldest: BigInt(moment[1] ?? 0),
    snapshot: moment[2] ?? '',
    place: moment[3] ?? '',
    totals: new Map(parts.map(({ name, all }) => [name, all])),
    known: [],
  }
  return { now, parts }
}

/** A look at which rows were only counted, with its totals; null where some may be gone. */
function addedUp(mark: CatalogueMark, { now, parts }: Look, known: ReadonlyMap<string, DatabaseTable>): Look | null {
  const whole: Part[] = []
  for (const part of parts) {
    const before = mark.totals.get(part.name)
    const isCounted = onlyCounted.has(part.name)
    if (!before || (isCounted && !isAddition(before, part, known))) return null
    whole.push(isCounted ? { ...part, all: totalWith(before, part) } : part)
  }
  return { now: { ...now, totals: new Map(whole.map(({ name, all }) => [name, all])) }, parts: whole }
}

/**
 * Once oids have begun anew, a new row may have a smaller one: what is written and does not have a greater one is to be a
 * table that was known.
 */
function isAddition(
  before: Total,
  { name, all, news, olds }: Part,
  known: ReadonlyMap<string, DatabaseTable>,
): boolean {
  if (all.rows !== before.rows + news) return false
  if (olds.length === 0) return true
  if (name !== 'relation') return false
  const oids = new Set([...known.values()].map(({ oid }) => oid))
  return olds.every((oid) => oids.has(oid))
}

const totalWith = (before: Total, { all, written }: Part): Total => ({
  rows: all.rows,
  most: all.most > before.most ? all.most : before.most,
  count: before.count + written.count,
  sum: before.sum + written.sum,
})

/** Parts that no table's description is made of; tables are of types, and are looked at where one changes. */
const beside: ReadonlySet<string> = new Set(['type', 'routine', 'operator'])

/** Rows are as many as before, or all that were written are new. Else some may be gone. */
const explained = (before: KeyedTotal | undefined, all: KeyedTotal, written: KeyedTotal): boolean =>
  sameTotal(before, all) ||
  (before !== undefined && before.count + written.count === all.count && before.sum + written.sum === all.sum)

const sameTotal = (before: KeyedTotal | undefined, all: KeyedTotal): boolean =>
  before !== undefined && before.count === all.count && before.sum === all.sum

/** A type that may have another name now: tables are of it that were not written themselves. That of a new table has no users. */
function concernsOthers(parts: readonly Part[], known: ReadonlyMap<string, DatabaseTable>): boolean {
  const types = parts.find(({ name }) => name === 'type')?.relations ?? []
  if (types.length === 0) return false
  const oids = new Set([...known.values()].map(({ oid }) => oid))
  return types.some((relation) => relation === '0' || oids.has(relation))
}

/** What may be written through a view is decided by what it shows: all are looked at where one of them changed. */
function withViews(
  relations: ReadonlySet<string>,
  parts: readonly Part[],
  known: ReadonlyMap<string, DatabaseTable>,
): ReadonlySet<string> {
  return withAllViews(
    relations,
    known,
    parts.some(({ name, relations: of }) => name === 'foreign' && of.length > 0),
  )
}

/** The relations, and all views where one of them is of these or `isForeign`. */
export function withAllViews(
  relations: ReadonlySet<string>,
  known: ReadonlyMap<string, DatabaseTable>,
  isForeign: boolean,
): ReadonlySet<string> {
  const views = [...known.values()].filter(({ kind }) => kind === 'view' || kind === 'foreign-table')
  const isConcerned = isForeign || views.some(({ oid }) => relations.has(oid))
  return isConcerned ? new Set([...relations, ...views.map(({ oid }) => oid)]) : relations
}

interface Part {
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
 * The moment, [, oldest, snapshot, place]; then a row for each part of the catalogue: [name, the four of a total, of what was
 * written since (nothing without a mark) new rows and the two of a keyed total, relations of which something was written, oids of
 * rows that are not new]. `counts`: of all rows only how many, and the rest of new ones.
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

interface CataloguePart {
  readonly name: string
  readonly from: Sql
  /** Which of its rows are looked at. */
  readonly where: Sql
  /** The same of those that were written, which may be of another kind now. */
  readonly written?: Sql
  /** The oid of a row, where new ones have greater ones than those before: it need not be told apart from others then. */
  readonly most?: Sql
  /** What rows go by: the sum of its hashes shows that some are gone. Null: none goes without a trace. */
  readonly key: Sql | null
  /** Which of its rows are counted so; without it all. */
  readonly counted?: Sql
  /** Of its rows. */
  readonly version: Sql
  readonly relation: Sql
}

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

const hash = (key: Sql): Sql => sql`pg_catalog.hashoid(${key})`
const age = (version: Sql): Sql => sql`pg_catalog.age(${version})`

/**
 * The relation of whose rows the type `t`, or what it is an array of, is; 0 where it is no table's: a composite type has a
 * relation of its own, and columns are of it.
 */
export const relationOfType: Sql = sql`COALESCE((SELECT c.oid FROM pg_catalog.pg_class c
  WHERE c.relkind <> 'c' AND c.oid = COALESCE((SELECT e.typrelid FROM pg_catalog.pg_type e
    WHERE e.oid = t.typelem AND e.typarray = t.oid), t.typrelid)), 0::oid)`

const parts: readonly CataloguePart[] = [
  // an index may have another name
  {
    name: 'relation',
    from: sql`pg_catalog.pg_class c`,
    where: sql`(c.relkind IN ('i', 'I')
      OR c.relkind IN (${trackableKinds}) AND c.relnamespace IN (SELECT oid FROM own))`,
    written: sql`c.relkind IN ('i', 'I', ${trackableKinds}) AND c.relpersistence <> 't'`,
    most: sql`c.oid`,
    key: hash(sql`c.oid`),
    counted: sql`c.relkind NOT IN ('i', 'I')`,
    version: sql`c.xmin`,
    relation: sql`CASE WHEN c.relkind IN ('i', 'I')
      THEN (SELECT i.indrelid FROM pg_catalog.pg_index i WHERE i.indexrelid = c.oid) ELSE c.oid END`,
  },
  // one that goes is marked as dropped, and so is a column whose default goes
  {
    name: 'column',
    from: sql`pg_catalog.pg_attribute a`,
    where: sql`true`,
    key: null,
    version: sql`a.xmin`,
    relation: sql`a.attrelid`,
  },
  {
    name: 'default',
    from: sql`pg_catalog.pg_attrdef d`,
    where: sql`true`,
    key: null,
    version: sql`d.xmin`,
    relation: sql`d.adrelid`,
  },
  {
    name: 'index',
    from: sql`pg_catalog.pg_index i`,
    where: sql`true`,
    most: sql`i.indexrelid`,
    key: hash(sql`i.indexrelid`),
    version: sql`i.xmin`,
    relation: sql`i.indrelid`,
  },
  {
    name: 'constraint',
    from: sql`pg_catalog.pg_constraint k`,
    where: sql`k.conrelid <> 0 AND k.contype <> 'n'`,
    most: sql`k.oid`,
    key: hash(sql`k.oid`),
    version: sql`k.xmin`,
    relation: sql`k.conrelid`,
  },
  {
    name: 'comment',
    from: sql`pg_catalog.pg_description d`,
    where: sql`d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass`,
    key: sql`pg_catalog.hashint8(d.objoid::int8 * 4096 + d.objsubid)`,
    version: sql`d.xmin`,
    relation: sql`d.objoid`,
  },
  {
    name: 'trigger',
    from: sql`pg_catalog.pg_trigger g`,
    where: sql`NOT g.tgisinternal`,
    most: sql`g.oid`,
    key: hash(sql`g.oid`),
    version: sql`g.xmin`,
    relation: sql`g.tgrelid`,
  },
  {
    name: 'rule',
    from: sql`pg_catalog.pg_rewrite r`,
    where: sql`true`,
    key: hash(sql`r.oid`),
    version: sql`r.xmin`,
    relation: sql`r.ev_class`,
  },
  {
    name: 'type',
    from: sql`pg_catalog.pg_type t`,
    where: sql`true`,
    most: sql`t.oid`,
    key: hash(sql`t.oid`),
    version: sql`t.xmin`,
    relation: relationOfType,
  },
  {
    name: 'routine',
    from: sql`pg_catalog.pg_proc f`,
    where: sql`true`,
    most: sql`f.oid`,
    key: hash(sql`f.oid`),
    version: sql`f.xmin`,
    relation: sql`0`,
  },
  {
    name: 'operator',
    from: sql`pg_catalog.pg_operator o`,
    where: sql`true`,
    most: sql`o.oid`,
    key: hash(sql`o.oid`),
    version: sql`o.xmin`,
    relation: sql`0`,
  },
  {
    name: 'foreign',
    from: sql`(SELECT s.oid, s.xmin FROM pg_catalog.pg_foreign_server s
      UNION ALL SELECT w.ftrelid, w.xmin FROM pg_catalog.pg_foreign_table w) AS f`,
    where: sql`true`,
    key: hash(sql`f.oid`),
    version: sql`f.xmin`,
    relation: sql`0`,
  },
]

const onlyCounted = new Set(parts.flatMap(({ name, most }) => (most ? [name] : [])))

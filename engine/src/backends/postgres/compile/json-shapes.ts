/**
 * How rows become JSON: the one place that chooses. What is inside of an answer remains a record or an array of records, and
 * becomes JSON once, at the end: JSON that is made level by level is copied at each. Microseconds of a backend of PostgreSQL
 * 18, medians of one run, a twentieth more or less in the next:
 *                                        50 > 63 > 630 rows   100 rows   100 rows with 2 objects   14 x 3 aggregates
 * json_agg(row_to_json(row))                    1416             203               336                    254
 * json_agg(row)                                 1245             194               329
 * array_to_json(ARRAY(SELECT row)), each level  1179             171               325                    250
 * the same, once at the end                     1050             171               292                    222
 * (the aggregates by json_build_object, but for the last)
 *
 * On PostgreSQL 15, milliseconds:                           100 rows with 2 objects   3,500 such rows
 * objects as scalar subqueries, or laterally                          0.9                   50
 * objects as left joins, json_build_object                            0.45                  9.4
 * objects as left joins, the row of a query that is pulled up         0.39                  8.4
 */
import { type Sql as Fragment, ident, join, literal, sql } from '../../sql.ts'
import type { Sql } from './scope.ts'

/** A key of an object and the expression of its value, which PostgreSQL's own conversion turns into JSON. */
export interface JsonEntry {
  readonly key: string
  readonly value: Sql
}

/**
 * The rows of `SELECT entries FROM source` as the JSON of an answer: `[]` when there are none. Their order is
 * preserved.
 */
export function answerOfRows(entries: readonly JsonEntry[], source: Sql, isCut: boolean): Sql {
  // an array holds every row until its end; an answer without a limit may be too large for that
  if (isCut) return sql`SELECT array_to_json(${listOf(entries, source)}) AS "root"`
  const { select, json } = rowOf(entries, row)
  return sql`SELECT COALESCE(json_agg(${json}), '[]') AS "root" FROM (${select} FROM ${source}) AS ${row}`
}

/** Each row of `SELECT entries FROM source` as the JSON of an answer. */
export function answerOfRow(entries: readonly JsonEntry[], source: Sql): Sql {
  const { select, json } = rowOf(entries, row)
  return sql`SELECT ${json} AS "root" FROM (${select} FROM ${source}) AS ${row}`
}

/** The rows of `SELECT entries FROM source` as a value inside of other rows. Their order is preserved. */
export const listOf = (entries: readonly JsonEntry[], source: Sql): Sql => sql`ARRAY(${objectsOf(entries, source)})`

/** A query that returns each row of `SELECT entries FROM source` as a value inside of other rows. */
export function objectsOf(entries: readonly JsonEntry[], source: Sql): Sql {
  const { select, record } = rowOf(entries, row)
  return sql`SELECT ${record} FROM (${select} FROM ${source}) AS ${row}`
}

/** An object made of what is already joined: what has to be joined to the rest, and then the object. */
export function joinedObject(
  entries: readonly JsonEntry[],
  alias: Fragment,
): { readonly join: Sql; readonly record: Fragment } {
  const { select, record } = rowOf(entries, alias)
  return { join: sql` CROSS JOIN LATERAL (${select}) AS ${alias}`, record }
}

/** An object of values, to be nested in others. Aggregates have to be selected before. */
export function objectFrom(entries: readonly JsonEntry[]): Sql {
  const { select, record } = rowOf(entries, row)
  return sql`(SELECT ${record} FROM (${select}) AS ${row})`
}

/** The JSON of an object of values at hand. */
export function jsonFrom(entries: readonly JsonEntry[]): Sql {
  if (entries.length > MOST_PAIRS) return joinedText(entries)
  const pairs = entries.map(({ key, value }) => sql`${literal(key)}, ${value}`)
  return sql`json_build_object(${join(pairs, sql`, `)})`
}

const row: Fragment = ident('row.json')
const cell: Fragment = ident('cell.json')

interface Row {
  readonly select: Sql
  /** The object seen from outside. */
  readonly record: Fragment
  readonly json: Fragment
}

/** What to select for an object, where the row is called `alias`. */
function rowOf(entries: readonly JsonEntry[], alias: Fragment): Row {
  if (entries.length > MOST_COLUMNS || entries.some(({ key }) => key.length > LONGEST_COLUMN_NAME)) {
    const json = sql`${alias}.${cell}`
    return { select: sql`SELECT ${joinedText(entries)} AS ${cell}`, record: json, json }
  }
  const columns = entries.map(({ key, value }) => sql`${value} AS ${ident(key)}`)
  // a column by the alias's name would be taken instead of the row: no key has a dot in it, each alias has
  return { select: sql`SELECT ${join(columns, sql`, `)}`, record: alias, json: sql`row_to_json(${alias})` }
}

/** Of a function's 100 arguments. */
const MOST_PAIRS = 50
/** Of a row; PostgreSQL's own limit is 1,664. */
export const MOST_COLUMNS = 1600
/** PostgreSQL cuts longer names. Response keys are ASCII. */
const LONGEST_COLUMN_NAME = 63

/** An object put together as text: no limit on the number or the length of keys. */
function joinedText(entries: readonly JsonEntry[]): Sql {
  const members = entries.map(({ key, value }, i) => {
    const start = literal(`${i === 0 ? '{' : ','}${JSON.stringify(key)}:`)
    return sql`${start} || COALESCE(to_json(${value})::text, 'null')`
  })
  return sql`(${concatenated(members)} || '}')::json`
}

/** As a balanced tree: 9,900 members one inside another exceed the database's stack. */
function concatenated(texts: readonly Sql[]): Sql {
  if (texts.length <= MOST_IN_A_ROW) return join(texts, sql` || `)
  const groups: Sql[] = []
  for (let i = 0; i < texts.length; i += MOST_IN_A_ROW)
    groups.push(sql`(${join(texts.slice(i, i + MOST_IN_A_ROW), sql` || `)})`)
  return concatenated(groups)
}

const MOST_IN_A_ROW = 32

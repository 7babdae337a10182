/**
 * How rows become JSON: the one place that chooses. Measured on PostgreSQL 15, in milliseconds, lists of
 *                                                 50 > 63 > 630 rows   100 rows with 2 objects deep   3,500 such rows
 * row_to_json of a subquery's row                        2.28
 * json_build_object                                      2.64
 * string_agg of texts                                    2.82
 * objects as scalar subqueries, or laterally                                  0.9                          50
 * objects as left joins, json_build_object                                    0.45                         9.4
 * objects as left joins, row_to_json of a query that is pulled up             0.39                         8.4
 */
import { type Sql as Fragment, ident, join, literal, sql } from '../../sql.ts'
import type { Sql } from './scope.ts'

/** A key of an object and the expression of its value, which PostgreSQL's own conversion turns into JSON. */
export interface Entry {
  readonly key: string
  readonly value: Sql
}

/** A query that gives the rows of `SELECT entries FROM source` as a list: `[]` when there are none. Their order is kept. */
export function listOf(entries: readonly Entry[], source: Sql): Sql {
  const { select, json } = rowOf(entries, row)
  return sql`SELECT COALESCE(json_agg(${json}), '[]') AS "root" FROM (${select} FROM ${source}) AS ${row}`
}

/** A query that gives each row of `SELECT entries FROM source` as an object. */
export function objectsOf(entries: readonly Entry[], source: Sql): Sql {
  const { select, json } = rowOf(entries, row)
  return sql`SELECT ${json} AS "root" FROM (${select} FROM ${source}) AS ${row}`
}

/** An object made of what is already joined: what has to be joined to the rest, and then its JSON. */
export function joinedObject(
  entries: readonly Entry[],
  alias: Fragment,
): { readonly join: Sql; readonly json: Fragment } {
  const { select, json } = rowOf(entries, alias)
  return { join: sql` CROSS JOIN LATERAL (${select}) AS ${alias}`, json }
}

/** An object of values at hand, aggregates for example. */
export function objectFrom(entries: readonly Entry[]): Sql {
  if (entries.length > MOST_PAIRS) return joinedText(entries)
  const pairs = entries.map(({ key, value }) => sql`${literal(key)}, ${value}`)
  return sql`json_build_object(${join(pairs, sql`, `)})`
}

const row: Fragment = ident('row.json')
const cell: Fragment = ident('cell.json')

/** What to select for an object, and its JSON seen from outside, where the row is called `alias`. */
function rowOf(entries: readonly Entry[], alias: Fragment): { readonly select: Sql; readonly json: Fragment } {
  if (entries.length > MOST_COLUMNS || entries.some(({ key }) => key.length > LONGEST_COLUMN_NAME))
    return { select: sql`SELECT ${joinedText(entries)} AS ${cell}`, json: sql`${alias}.${cell}` }
  const columns = entries.map(({ key, value }) => sql`${value} AS ${ident(key)}`)
  // without `.*` a column by the alias's name would be taken instead of the row
  return { select: sql`SELECT ${join(columns, sql`, `)}`, json: sql`row_to_json(${alias}.*)` }
}

/** Of a function's 100 arguments. */
const MOST_PAIRS = 50
/** Of a row; PostgreSQL's own limit is 1,664. */
const MOST_COLUMNS = 1600
/** PostgreSQL cuts longer names. Response keys are ASCII. */
const LONGEST_COLUMN_NAME = 63

/** An object put together as text: no limit on the number or the length of keys. */
function joinedText(entries: readonly Entry[]): Sql {
  const members = entries.map(({ key, value }, i) => {
    const start = literal(`${i === 0 ? '{' : ','}${JSON.stringify(key)}:`)
    return sql`${start} || COALESCE(to_json(${value})::text, 'null')`
  })
  return sql`(${join(members, sql` || `)} || '}')::json`
}

import type { Join } from '../../../ir/index.ts'
import { compileWhere, ident, integer, join, sql } from '../../sql.ts'
import { columnOf, type Scope, type Sql } from './scope.ts'

/** What stands after FROM, and the conditions that its rows have yet to satisfy. */
export interface Source {
  readonly from: Sql
  readonly where: readonly Sql[]
}

/**
 * Joins one value of all rows with the same keys to the row of a scope, and returns it: NULL where there are none.
 * BigQuery has no lateral joins, so that it is made for the keys of all rows.
 */
export function joinGrouped(
  {
    by,
    target,
    value,
    source,
    prefix,
  }: {
    readonly by: Join
    readonly target: Scope
    readonly value: Sql
    /** Called when all columns of the target that are needed are known. */
    source(): Source
    readonly prefix: string
  },
  scope: Scope,
): Sql {
  const alias = scope.statement.alias(prefix, by.table.name)
  const keys = by.columns.map(({ to }, i) => sql`${columnOf(target.row, to)} AS ${keyName(i)}`)
  const on = by.columns.map((pair, i) => sql`(${alias}.${keyName(i)} = ${columnOf(scope.row, pair.from)})`)
  const places = by.columns.map((_, i) => integer(i + 1))
  const { from, where } = source()
  const select = sql`SELECT ${join([...keys, sql`${value} AS ${valueName}`], sql`, `)} FROM ${from}${join(target.joins, sql``)}${compileWhere(where)} GROUP BY ${join(places, sql`, `)}`
  scope.joins.push(sql` LEFT OUTER JOIN (${select}) AS ${alias} ON ${join(on, sql` AND `)}`)
  return sql`${alias}.${valueName}`
}

const keyName = (position: number) => ident(`k${position}`)
const valueName = ident('v')

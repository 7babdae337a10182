/** Recursion: rows have fields that are rows and aggregates in turn. */
import type { Join, OrderBy, QualifiedName, RowField, Rows } from '../../../ir/index.ts'
import { compileWhere, type Sql as Fragment, ident, join, sql, tableName } from '../../sql.ts'
import { compileBooleanExpression, joinedRows } from './boolean-expression.ts'
import { compileOffset } from './counts.ts'
import { compileFields } from './fields.ts'
import { listOf, objectOf } from './json-shapes.ts'
import { compileOrder, distinctKeys, printOrder } from './order-by.ts'
import { type Scope, type Sql, type StatementContext, scopeOf } from './scope.ts'

/** Rows that fields or aggregates are taken from. */
export interface Source {
  /** `TOP (n) `, or nothing. */
  readonly top: Sql
  /** What stands after FROM; further joins may follow. */
  readonly from: Sql
  /** ` WHERE …` or nothing. */
  readonly where: Sql
  /** ` ORDER BY …` or nothing. */
  readonly order: Sql
  readonly scope: Scope
}

/** The conditions by which rows belong to an outer row. */
export type Belongs = (row: Scope) => readonly Sql[]
export const unrelated: Belongs = () => []

/** Where rows are taken from. */
export interface Origin {
  readonly table: QualifiedName
  readonly from: Sql
}

export const originOf = (table: QualifiedName): Origin => ({ table, from: tableName(table) })

/** Returns the rows that a join reaches. */
export const reachedBy = (by: Join): Origin => ({ table: by.table, from: joinedRows(by) })

const nothing: Fragment = sql``
const first: Sql = sql`TOP (1) `

/** Returns the first of the rows that satisfy `where`, in any order. */
export const oneRow = (
  origin: Origin,
  where: Rows['where'],
  belongs: Belongs,
  statement: StatementContext,
): Source => ({
  ...orderedRows(origin, { where, orderBy: [], offset: null }, null, belongs, statement),
  top: first,
})

/**
 * Returns the rows that satisfy `where`, ordered and cut to `limit`. Those behind an offset are selected in a query of
 * their own: no clause but ORDER BY takes one, and what is ordered by is taken along.
 */
export function orderedRows(
  { table, from }: Origin,
  rows: Pick<Rows, 'where' | 'orderBy' | 'offset'>,
  limit: Sql | null,
  belongs: Belongs,
  statement: StatementContext,
): Source {
  const scope = scopeOf(statement.alias('t', table.name), statement)
  const orderBy = distinctKeys(rows.orderBy)
  const { joins, keys } = compileOrder(orderBy, scope)
  const top = limit ? sql`TOP (${limit}) ` : nothing
  const joined = sql`${from} AS ${scope.row}${join(joins, nothing)}`
  const where = compileWhere([...belongs(scope), compileBooleanExpression(rows.where, scope)])
  const order = printOrder(orderBy, keys)
  const offset = compileOffset(rows.offset)
  if (!offset) return { top, from: joined, where, order, scope }
  const columns = keys.map((key, i) => sql`, ${key} AS ${orderColumn(i)}`)
  const inOrder = keys.length > 0 ? order : sql` ORDER BY (SELECT NULL)`
  const select = sql`SELECT ${scope.row}.*${join(columns, nothing)} FROM ${joined}${where}${inOrder} OFFSET ${offset} ROWS`
  return selection(select, table, top, orderBy, statement)
}

/** No column of a user's table has such a name by accident. */
const orderColumn = (i: number): Sql => ident(`order.${i}`)

function selection(
  select: Sql,
  { name }: QualifiedName,
  top: Sql,
  orderBy: readonly OrderBy[],
  statement: StatementContext,
): Source {
  const scope = scopeOf(statement.alias('t', name), statement)
  const keys = orderBy.map((_, i) => sql`${scope.row}.${orderColumn(i)}`)
  return { top, from: sql`(${select}) AS ${scope.row}`, where: nothing, order: printOrder(orderBy, keys), scope }
}

/** Returns the same rows where their order does not matter, and nothing of them is cut any more. */
export function unordered(source: Source, table: QualifiedName): Source {
  if (source.top === nothing) return { ...source, order: nothing }
  const { top, from, where, order, scope } = source
  const select = sql`SELECT ${top}${scope.row}.* FROM ${from}${where}${order}`
  return selection(select, table, nothing, [], scope.statement)
}

/** Returns a query for the rows' fields as a JSON list. */
export function compileList(source: Source, fields: readonly RowField[]): Sql {
  const { entries, joins } = compileFields(fields, source.scope)
  return listOf(entries, { ...source, from: sql`${source.from}${join(joins, nothing)}`, rest: restOf(source) })
}

/** Returns a query for the fields of the first row as a JSON object. */
export function compileOne(source: Source, fields: readonly RowField[]): Sql {
  const { entries, joins } = compileFields(fields, source.scope)
  const top = source.top === nothing ? first : source.top
  return objectOf(entries, { top, from: sql`${source.from}${join(joins, nothing)}`, rest: restOf(source) })
}

const restOf = ({ where, order }: Source): Sql => sql`${where}${order}`

/** Recursion: rows have fields that are rows, aggregates and connections in turn. */
import { columnOf, type Join, type OrderBy, type QualifiedName, type RowField, type Rows } from '../../../ir/index.ts'
import { compileWhere, join, sql, tableName } from '../../sql.ts'
import { compileBooleanExpression, joinedRows } from './boolean-expression.ts'
import { compileFields, joinBudget } from './fields.ts'
import { answerOfRow, answerOfRows, type JsonEntry, listOf, objectsOf } from './json-shapes.ts'
import { compileOperand } from './operand.ts'
import { compileOrderBy } from './order-by.ts'
import { type Scope, type Sql, type StatementContext, scopeOf } from './scope.ts'
import { compileCount } from './values.ts'

/** Rows that fields or aggregates are taken from. */
export interface Source {
  /** What stands after FROM; further joins may follow. */
  readonly from: Sql
  /** ` WHERE …` or nothing. */
  readonly where: Sql
  readonly scope: Scope
  /** The order that the rows come in. */
  readonly orderBy: readonly OrderBy[]
}

/** The conditions by which rows belong to an outer row. */
export type Belongs = (row: Scope) => readonly Sql[]

/** Where rows come from: a table, or a function that returns rows of it. */
export interface Origin {
  readonly table: QualifiedName
  readonly from: Sql
}

export const originOf = (table: QualifiedName): Origin => ({ table, from: tableName(table) })

/** What a join reaches. */
export const reachedBy = (by: Join): Origin => ({ table: by.table, from: joinedRows(by) })

/** The rows that satisfy `where`, as they come. */
export function filteredRows(
  origin: Origin,
  where: Rows['where'],
  belongs: Belongs,
  statement: StatementContext,
): Source {
  const scope = scopeOf(statement.nextAlias(), statement)
  return {
    from: sql`${origin.from} AS ${scope.row}`,
    where: compileWhere([...belongs(scope), compileBooleanExpression(where, scope)]),
    scope,
    orderBy: [],
  }
}

/**
 * The same, ordered, made distinct and cut to `limit` (reference/queries#one-statement-for-a-root-field). They are
 * selected in a query of their own, so that fields are computed for the rows that are left only.
 */
export function orderedRows(
  origin: Origin,
  rows: Rows,
  limit: Sql | null,
  belongs: Belongs,
  statement: StatementContext,
): Source {
  const filtered = filteredRows(origin, rows.where, belongs, statement)
  const { from, where, scope } = filtered
  const offset = compileCount(rows.offset)
  if (rows.orderBy.length === 0 && rows.distinctOn.length === 0 && !limit && !offset) return filtered
  const columns = new Map(rows.distinctOn.map((of) => [columnOf(of) ?? '', compileOperand(of, scope)]))
  const distinct = columns.size > 0 ? sql`DISTINCT ON (${join([...columns.values()], sql`, `)}) ` : sql``
  const order = compileOrderBy(rows.orderBy, scope, columns)
  const cut = sql`${limit ? sql` LIMIT ${limit}` : sql``}${offset ? sql` OFFSET ${offset}` : sql``}`
  const select = sql`SELECT ${distinct}${scope.row}.* FROM ${from}${where}${order}${cut}`
  return selection(select, origin.table, rows.orderBy, statement)
}

/** The rows of a query as a source. */
export function selection(
  select: Sql,
  table: QualifiedName,
  orderBy: readonly OrderBy[],
  statement: StatementContext,
): Source {
  const scope = scopeOf(statement.nextAlias(), statement, table)
  return { from: sql`(${select}) AS ${scope.row}`, where: sql``, scope, orderBy }
}

/** The rows' fields as a list inside of other rows. */
export function compileList(source: Source, fields: readonly RowField[]): Sql {
  const { entries, from } = listed(source, fields)
  return listOf(entries, from)
}

/** A query that returns the rows' fields as a whole answer; `isCut`: there is a limit. */
export function compileAnswer(source: Source, fields: readonly RowField[], isCut: boolean): Sql {
  const { entries, from } = listed(source, fields)
  return answerOfRows(entries, from, isCut)
}

function listed(source: Source, fields: readonly RowField[]): Selected {
  // a join may change the order, which can be stated again when it is by columns of the rows themselves
  const canJoin = source.orderBy.every(({ key }) => key.kind === 'operand')
  const { entries, joins } = compileFields(fields, source.scope, canJoin ? joinBudget() : { left: 0 })
  const order = joins.length > 0 ? compileOrderBy(source.orderBy, source.scope) : sql``
  return { entries, from: sql`${source.from}${join(joins, sql``)}${source.where}${order}` }
}

/** A query that returns the fields of one of the rows, or no row, inside of another row. */
export function compileOne(source: Source, fields: readonly RowField[]): Sql {
  const { entries, from } = one(source, fields)
  return objectsOf(entries, from)
}

/** The same as a whole answer. */
export function compileOneAnswer(source: Source, fields: readonly RowField[]): Sql {
  const { entries, from } = one(source, fields)
  return answerOfRow(entries, from)
}

function one(source: Source, fields: readonly RowField[]): Selected {
  const { entries, joins } = compileFields(fields, source.scope, joinBudget())
  return { entries, from: sql`${source.from}${join(joins, sql``)}${source.where} LIMIT 1` }
}

/** What stands in SELECT and after FROM. */
interface Selected {
  readonly entries: readonly JsonEntry[]
  readonly from: Sql
}

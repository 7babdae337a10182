import type { QualifiedName, Rows } from '../../../ir/index.ts'
import { join, sql } from '../../sql.ts'
import { compileBooleanExpression, compileWhere } from './boolean-expression.ts'
import { compileOperand } from './operand.ts'
import { compileOrderBy } from './order-by.ts'
import { type Scope, type Sql, type StatementContext, scopeOf, tableName } from './scope.ts'
import { compileCount } from './values.ts'

/** What stands after FROM, and the scope of its rows. */
export interface Source {
  readonly from: Sql
  readonly scope: Scope
}

/** The rows that satisfy `where` and belong to an outer row, as they come. */
export function filteredRows(
  table: QualifiedName,
  where: Rows['where'],
  belongs: (row: Scope) => readonly Sql[],
  statement: StatementContext,
): Source {
  const scope = scopeOf(statement.nextAlias(), statement)
  const condition = compileWhere([...belongs(scope), compileBooleanExpression(where, scope)])
  return { from: sql`${tableName(table)} AS ${scope.row}${condition}`, scope }
}

/**
 * The same, ordered, made distinct and cut to `limit` (spec 02 §3.1). They are selected in a query of their own, so that
 * fields are computed for the rows that are left only; the order is the outer query's too.
 */
export function orderedRows(
  table: QualifiedName,
  rows: Rows,
  limit: Sql | null,
  belongs: (row: Scope) => readonly Sql[],
  statement: StatementContext,
): Source {
  const { from, scope } = filteredRows(table, rows.where, belongs, statement)
  const offset = compileCount(rows.offset)
  if (rows.orderBy.length === 0 && rows.distinctOn.length === 0 && !limit && !offset) return { from, scope }
  const distinct =
    rows.distinctOn.length > 0
      ? sql`DISTINCT ON (${join(
          rows.distinctOn.map((of) => compileOperand(of, scope)),
          sql`, `,
        )}) `
      : sql``
  const order = compileOrderBy(rows.orderBy, scope)
  const cut = sql`${limit ? sql` LIMIT ${limit}` : sql``}${offset ? sql` OFFSET ${offset}` : sql``}`
  const outer = scopeOf(statement.nextAlias(), statement)
  return { from: sql`(SELECT ${distinct}${scope.row}.* FROM ${from}${order}${cut}) AS ${outer.row}`, scope: outer }
}

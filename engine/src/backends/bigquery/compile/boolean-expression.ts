import { type BooleanExpression, type Join, operandType, type QueryText } from '../../../ir/index.ts'
import { combineConditions, compileQueryText, compileWhere, join, sql, tableName } from '../../sql.ts'
import { compileComparison } from './comparison.ts'
import { compileCall } from './function-call.ts'
import { compileOperand } from './operand.ts'
import { columnOf, type Row, type Scope, type Sql, type StatementContext, scopeOf } from './scope.ts'
import { compileValue } from './values.ts'

/** Compiles a condition (reference/filters#operators). */
export function compileBooleanExpression(e: BooleanExpression, scope: Scope): Sql {
  switch (e.kind) {
    case 'and':
      return combineConditions(compileEach(e.of, scope), sql` AND `, sql`TRUE`)
    case 'or':
      return combineConditions(compileEach(e.of, scope), sql` OR `, sql`FALSE`)
    case 'not':
      return sql`(NOT ${compileBooleanExpression(e.of, scope)})`
    case 'compare':
      return compileCompare(e, scope)
    case 'compare-columns': {
      const [left, right] = [compileOperand(e.left, scope), compileOperand(e.right, scope)]
      return compileComparison(e.operator, left, [right], operandType(e.left))
    }
    case 'is-null':
      return sql`(${compileOperand(e.of, scope)} IS ${e.negated ? sql`NOT NULL` : sql`NULL`})`
    case 'exists-related':
      return exists(
        joinedRows(e.join, scope.statement),
        e.join.table.name,
        (row) => [compileJoin(e.join, scope.row, row)],
        e.where,
        scope,
      )
    case 'exists-computed':
      return exists(compileCall(e.call, scope), e.call.function.name, () => [], e.where, scope)
    case 'exists':
      return exists(tableName(e.table), e.table.name, () => [], e.where, scope)
    case 'rooted':
      return compileBooleanExpression(e.of, { ...scope, root: scope.row })
  }
}

/** Returns what is after FROM for the rows that a join reaches. */
export const joinedRows = ({ table, query }: Join, statement: StatementContext): Sql =>
  query ? namedQuery(query, statement) : tableName(table)

/** Returns the name of a native query, which is put before the statement. */
export const namedQuery = (query: QueryText, statement: StatementContext): Sql =>
  statement.with(compileQueryText(query, (value) => compileValue(value, statement)))

const compileEach = (parts: readonly BooleanExpression[], scope: Scope): readonly Sql[] =>
  parts.map((part) => compileBooleanExpression(part, scope))

/** The columns by which the row in `to` belongs to the row in `from`. */
const compileJoin = (by: Join, from: Row, to: Row): Sql =>
  join(
    by.columns.map((pair) => sql`(${columnOf(to, pair.to)} = ${columnOf(from, pair.from)})`),
    sql` AND `,
  )

function compileCompare(e: BooleanExpression & { kind: 'compare' }, scope: Scope): Sql {
  const left = compileOperand(e.left, scope)
  const right = e.right.map((value) => compileValue(value, scope.statement))
  const plain = compileComparison(e.operator, left, right, operandType(e.left))
  const [value] = right
  if (!e.nullSafe || !value) return plain
  return e.operator === 'neq'
    ? sql`(${plain} OR ((${left} IS NULL) <> (${value} IS NULL)))`
    : sql`(${plain} OR (${left} IS NULL AND ${value} IS NULL))`
}

function exists(
  from: Sql,
  name: string,
  belongs: (row: Row) => readonly Sql[],
  where: BooleanExpression,
  scope: Scope,
): Sql {
  const { statement } = scope
  statement.reach()
  const inside: Scope = { ...scopeOf(statement, 't_', { name }), root: scope.root }
  const conditions = [...belongs(inside.row), compileBooleanExpression(where, inside)]
  return sql`EXISTS (SELECT 1 FROM ${from} AS ${inside.row.alias}${compileWhere(conditions)})`
}

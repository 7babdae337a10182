import type { BooleanExpression, Join } from '../../../ir/index.ts'
import { type Sql as Fragment, join, sql } from '../../sql.ts'
import { compileComparison } from './comparison.ts'
import { compileCall } from './function-call.ts'
import { compileOperand, operandType } from './operand.ts'
import { compileQueryText } from './query-text.ts'
import { columnOf, type Row, type Scope, type Sql, type StatementContext, scopeOf, tableName } from './scope.ts'
import { compileValue } from './values.ts'

/** Compiles a condition (reference/filters#operators). */
export function compileBooleanExpression(e: BooleanExpression, scope: Scope): Sql {
  switch (e.kind) {
    case 'and':
      return combine(e.of, scope, sql` AND `, always)
    case 'or':
      return combine(e.of, scope, sql` OR `, sql`FALSE`)
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

const always: Fragment = sql`TRUE`

/** Returns ` WHERE …` of all of these, or nothing when they are always true. */
export function compileWhere(conditions: readonly Sql[]): Sql {
  const present = conditions.filter(({ parts }) => parts.length !== 1 || parts[0] !== 'TRUE')
  return present.length === 0 ? sql`` : sql` WHERE ${join(present, sql` AND `)}`
}

/** Returns what is after FROM for the rows that a join reaches. */
export const joinedRows = ({ table, query }: Join, statement: StatementContext): Sql =>
  query ? statement.with(compileQueryText(query, statement)) : tableName(table)

/** The columns by which the row in `to` belongs to the row in `from`. */
const compileJoin = (by: Join, from: Row, to: Row): Sql =>
  join(
    by.columns.map((pair) => sql`(${columnOf(to, pair.to)} = ${columnOf(from, pair.from)})`),
    sql` AND `,
  )

function combine(parts: readonly BooleanExpression[], scope: Scope, by: Fragment, empty: Fragment): Sql {
  const compiled = parts.map((part) => compileBooleanExpression(part, scope))
  const [only] = compiled
  if (!only) return empty
  return compiled.length === 1 ? only : sql`(${join(compiled, by)})`
}

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

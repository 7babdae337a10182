import { type BooleanExpression, type Join, operandType } from '../../../ir/index.ts'
import {
  combineConditions,
  compileJoin,
  compileQueryText,
  compileWhere,
  type Sql as Fragment,
  sql,
  tableName,
} from '../../sql.ts'
import { comparable, compileValue } from './cast.ts'
import { compileComparison } from './comparison.ts'
import { compileOperand } from './operand.ts'
import { notServed, type Scope, type Sql } from './scope.ts'

/** Compiles a condition to a predicate (reference/filters#operators): T-SQL has no boolean values. */
export function compileBooleanExpression(e: BooleanExpression, scope: Scope): Sql {
  switch (e.kind) {
    case 'and':
      return combineConditions(compileEach(e.of, scope), sql` AND `, sql`(1=1)`)
    case 'or':
      return combineConditions(compileEach(e.of, scope), sql` OR `, sql`(1<>1)`)
    case 'not':
      return sql`(NOT ${compileBooleanExpression(e.of, scope)})`
    case 'compare':
      return compileCompare(e, scope)
    case 'compare-columns':
      scope.statement.countComparison()
      return compileComparison(
        e.operator,
        e.left,
        comparable(compileOperand(e.right, scope), operandType(e.right)),
        scope,
      )
    case 'is-null':
      return isNull(compileOperand(e.of, scope), e.negated)
    case 'exists-related':
      return exists(
        e.join.table.name,
        joinedRows(e.join),
        (row) => [compileJoin(e.join, scope.row, row)],
        e.where,
        scope,
      )
    case 'exists':
      return exists(e.table.name, tableName(e.table), () => [], e.where, scope)
    case 'exists-computed':
      return notServed('Computed fields')
    case 'rooted':
      return compileBooleanExpression(e.of, { ...scope, root: scope.row })
  }
}

/** Returns what is after FROM for the rows that a join reaches. */
export const joinedRows = ({ table, query }: Join): Sql =>
  query ? compileQueryText(query, compileValue) : tableName(table)

const compileEach = (parts: readonly BooleanExpression[], scope: Scope): readonly Sql[] =>
  parts.map((part) => compileBooleanExpression(part, scope))

const isNull = (value: Sql, negated = false): Sql => sql`(${value} IS ${negated ? sql`NOT NULL` : sql`NULL`})`

function compileCompare(e: BooleanExpression & { kind: 'compare' }, scope: Scope): Sql {
  scope.statement.countComparison()
  const [first] = e.right
  const right = first ? compileValue(first) : sql`NULL`
  const plain = compileComparison(e.operator, e.left, right, scope)
  if (!e.nullSafe || !first) return plain
  const left = compileOperand(e.left, scope)
  const [noLeft, noRight] = [isNull(left), isNull(right)]
  if (e.operator !== 'neq') return sql`(${plain} OR (${noLeft} AND ${noRight}))`
  return sql`(${plain} OR (${noLeft} AND ${isNull(right, true)}) OR (${isNull(left, true)} AND ${noRight}))`
}

function exists(
  name: string,
  from: Sql,
  belongs: (row: Fragment) => readonly Sql[],
  where: BooleanExpression,
  scope: Scope,
): Sql {
  const { statement } = scope
  statement.countJoin()
  const row = statement.alias('t', name)
  const condition = compileBooleanExpression(where, { ...scope, row })
  return sql`EXISTS (SELECT 1 AS [exists_placeholder] FROM ${from} AS ${row}${compileWhere([...belongs(row), condition])})`
}

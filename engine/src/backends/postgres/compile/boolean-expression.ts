import { type BooleanExpression, type Join, type Operand, operandType } from '../../../ir/index.ts'
import {
  combineConditions,
  compileJoin,
  compileQueryText,
  compileWhere,
  type Sql as Fragment,
  sql,
  tableName,
} from '../../sql.ts'
import { typeName } from './cast.ts'
import { compileComparison } from './comparison.ts'
import { compileCall, presentRow } from './function-call.ts'
import { mergeRelated } from './merge-related.ts'
import { compileOperand } from './operand.ts'
import type { Scope, Sql } from './scope.ts'
import { compileValue } from './values.ts'

/** Compiles a condition (reference/filters#operators). */
export function compileBooleanExpression(e: BooleanExpression, scope: Scope): Sql {
  switch (e.kind) {
    case 'and':
      return combineConditions(compileEach(mergeRelated('and', e.of), scope), sql` AND `, sql`true`)
    case 'or':
      return combineConditions(
        compileEach(mergeRelated('or', e.of), { ...scope, isConjunct: false }),
        sql` OR `,
        sql`false`,
      )
    case 'not':
      return sql`(NOT ${compileBooleanExpression(e.of, { ...scope, isConjunct: false })})`
    case 'compare':
      scope.statement.countComparison()
      return compileCompare(e, scope)
    case 'compare-columns':
      scope.statement.countComparison()
      return compileComparison(e.operator, comparable(e.left, scope), [comparable(e.right, scope)], operandType(e.left))
    case 'is-null':
      return sql`(${compileOperand(e.of, scope)} IS ${e.negated ? sql`NOT NULL` : sql`NULL`})`
    case 'exists-related':
      return exists(joinedRows(e.join), (row) => [compileJoin(e.join, scope.row, row)], e.where, scope)
    case 'exists-computed':
      return exists(compileCall(e.call, scope), (row) => presentRow(e.call, row), e.where, scope)
    case 'exists':
      return exists(tableName(e.table), () => [], e.where, scope)
    case 'rooted':
      return compileBooleanExpression(e.of, { ...scope, root: scope.row })
  }
}

/** Returns what is after FROM for the rows that a join reaches. */
export const joinedRows = ({ table, query }: Join): Sql =>
  query ? compileQueryText(query, compileValue) : tableName(table)

const compileEach = (parts: readonly BooleanExpression[], scope: Scope): readonly Sql[] =>
  parts.map((part) => compileBooleanExpression(part, scope))

function compileCompare(e: BooleanExpression & { kind: 'compare' }, scope: Scope): Sql {
  const left = comparable(e.left, scope)
  const right = e.right.map(compileValue)
  const plain = compileComparison(e.operator, left, right, operandType(e.left))
  const [value] = right
  if (!e.nullSafe || !value) return plain
  // IS NOT DISTINCT FROM would say the same, and use no index
  return e.operator === 'neq'
    ? sql`((${plain}) OR ((${left} IS NULL) <> (${value} IS NULL)))`
    : sql`((${plain}) OR (${left} IS NULL AND ${value} IS NULL))`
}

/**
 * An array of a domain has no operators with arrays of what the domain is made of, nor has a domain over an enum with
 * that enum. For other types the cast changes nothing.
 */
function comparable(operand: Operand, scope: Scope): Sql {
  const type = operandType(operand)
  const compiled = compileOperand(operand, scope)
  return type.array || type.kind !== 'base' ? sql`(${compiled})::${typeName(type)}` : compiled
}

/**
 * Some are fenced off by OFFSET: the planner then neither makes a join of them, whose cube its time grows with, nor
 * plans them twice, once to be hashed, which doubles at each level of conditions inside of one another.
 */
function exists(from: Sql, belongs: (row: Fragment) => readonly Sql[], where: BooleanExpression, scope: Scope): Sql {
  const { budget, statement } = scope
  const isFenced = budget.left <= 0 || (!scope.isConjunct && conditionsIn(where, MOST_TWICE + 1) > MOST_TWICE)
  budget.left -= 1
  const row = statement.nextAlias()
  const inside = { ...scope, row, rowType: null, isConjunct: true }
  const condition = statement.reach(() => compileBooleanExpression(where, inside))
  return sql`EXISTS (SELECT 1 FROM ${from} AS ${row}${compileWhere([...belongs(row), condition])}${isFenced ? sql` OFFSET 0` : sql``})`
}

/** What is planned twice may have so many conditions on other tables in it. */
const MOST_TWICE = 3

/** Conditions on other tables, `most` where there are more. */
function conditionsIn(e: BooleanExpression, most: number): number {
  switch (e.kind) {
    case 'and':
    case 'or': {
      let found = 0
      for (const part of e.of) {
        if (found >= most) return most
        found += conditionsIn(part, most - found)
      }
      return found
    }
    case 'not':
    case 'rooted':
      return conditionsIn(e.of, most)
    case 'exists-related':
    case 'exists-computed':
    case 'exists':
      return most <= 1 ? most : Math.min(most, 1 + conditionsIn(e.where, most - 1))
    case 'compare':
    case 'compare-columns':
    case 'is-null':
      return 0
  }
}

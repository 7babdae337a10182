import type { AggregateOperator, Operand } from '../../../ir/index.ts'
import { type Sql as Fragment, join, sql } from '../../sql.ts'
import { compileOperand } from './operand.ts'
import type { Scope, Sql } from './scope.ts'

/** Compiles an aggregate of one column (reference/queries#aggregates). */
export const compileAggregateCall = (operator: AggregateOperator, of: Operand, scope: Scope): Sql =>
  sql`${functions[operator]}(${compileOperand(of, scope)})`

const functions: Readonly<Record<AggregateOperator, Fragment>> = {
  sum: sql`SUM`,
  avg: sql`AVG`,
  max: sql`MAX`,
  min: sql`MIN`,
  stddev: sql`STDDEV`,
  stddev_pop: sql`STDDEV_POP`,
  stddev_samp: sql`STDDEV_SAMP`,
  var_pop: sql`VAR_POP`,
  var_samp: sql`VAR_SAMP`,
  variance: sql`VARIANCE`,
}

/** Several columns are one tuple, which is never NULL; COUNT itself accepts one column. */
export function compileCount(of: readonly Operand[], distinct: boolean, scope: Scope): Sql {
  const columns = of.map((one) => compileOperand(one, scope))
  const [only] = columns
  if (!only || (columns.length > 1 && !distinct)) return sql`COUNT(*)`
  const counted = columns.length === 1 ? only : sql`TO_JSON_STRING(STRUCT(${join(columns, sql`, `)}))`
  return sql`COUNT(${distinct ? sql`DISTINCT ` : sql``}${counted})`
}

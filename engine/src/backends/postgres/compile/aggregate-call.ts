import { type AggregateOperator, type Operand, operandType } from '../../../ir/index.ts'
import { type Sql as Fragment, sql } from '../../sql.ts'
import { isType } from '../types/known-types.ts'
import { typeName } from './cast.ts'
import { compileOperand } from './operand.ts'
import type { Scope, Sql } from './scope.ts'

/** Compiles an aggregate of one column (reference/graphql-schema#generated-types, reference/queries#aggregates). */
export function compileAggregateCall(operator: AggregateOperator, of: Operand, scope: Scope): Sql {
  const value = compileOperand(of, scope)
  const type = operandType(of)
  // these have an order and no max or min of their own
  if ((operator === 'max' || operator === 'min') && isType(type, 'uuid', 'ltree'))
    return sql`(array_agg(${value} ORDER BY ${value} ${operator === 'max' ? sql`DESC` : sql`ASC`} NULLS LAST))[1]`
  // money can be summed and ordered, and nothing else
  if (isType(type, 'money') && !['sum', 'max', 'min'].includes(operator))
    return sql`${functions[operator]}((${value})::numeric)`
  // a domain over an enum has none; for an enum itself the cast is nothing
  if (type.kind === 'enum') return sql`${functions[operator]}((${value})::${typeName(type)})`
  return sql`${functions[operator]}(${value})`
}

const functions: Readonly<Record<AggregateOperator, Fragment>> = {
  sum: sql`sum`,
  avg: sql`avg`,
  max: sql`max`,
  min: sql`min`,
  stddev: sql`stddev`,
  stddev_pop: sql`stddev_pop`,
  stddev_samp: sql`stddev_samp`,
  var_pop: sql`var_pop`,
  var_samp: sql`var_samp`,
  variance: sql`variance`,
}

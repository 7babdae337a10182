import {
  type BooleanExpression,
  type Join,
  type OrderAggregate,
  type OrderBy,
  type OrderKey,
  operandType,
} from '../../../ir/index.ts'
import { compileJoin, compileWhere, join, sql } from '../../sql.ts'
import { aggregateCall } from './aggregate-call.ts'
import { compileBooleanExpression, joinedRows } from './boolean-expression.ts'
import { comparable } from './cast.ts'
import { compileOperand } from './operand.ts'
import { notServed, type Scope, type Sql, scopeOf } from './scope.ts'

/** What rows are ordered by, and what has to be joined to them for it. */
export interface Order {
  readonly joins: readonly Sql[]
  readonly keys: readonly Sql[]
}

interface Key {
  readonly joins: readonly Sql[]
  readonly value: Sql
}

export function compileOrder(orderBy: readonly OrderBy[], scope: Scope): Order {
  const keys = orderBy.map(({ key }) => compileKey(key, scope))
  return { joins: keys.flatMap(({ joins }) => joins), keys: keys.map(({ value }) => value) }
}

/** Removes repeated keys: they order nothing, and a column may be named once (169). */
export const distinctKeys = (orderBy: readonly OrderBy[]): readonly OrderBy[] =>
  orderBy.filter(
    ({ key }, i) =>
      key.kind !== 'operand' || orderBy.findIndex((other) => JSON.stringify(other.key) === JSON.stringify(key)) === i,
  )

/**
 * Returns ` ORDER BY …`, or nothing. T-SQL has no words for where NULL stands, which is less than every value for it:
 * elsewhere it is a key of its own.
 */
export function printOrder(orderBy: readonly OrderBy[], keys: readonly Sql[]): Sql {
  if (keys.length === 0) return sql``
  const parts = keys.map((key, i) => {
    const { nulls, direction } = orderBy[i] ?? { nulls: 'first', direction: 'asc' }
    const own = sql`${key} ${direction === 'desc' ? sql`DESC` : sql`ASC`}`
    if ((nulls === 'first') === (direction === 'asc')) return own
    return sql`IIF(${key} IS NULL, ${nulls === 'first' ? sql`0, 1` : sql`1, 0`}), ${own}`
  })
  return sql` ORDER BY ${join(parts, sql`, `)}`
}

function compileKey(key: OrderKey, scope: Scope): Key {
  switch (key.kind) {
    case 'operand':
      return { joins: [], value: comparable(compileOperand(key.of, scope), operandType(key.of)) }
    case 'related':
      return related(key.join, key.filter, scope, sql`TOP (1) `, (target) => compileKey(key.key, target))
    case 'related-aggregate':
      return related(key.join, key.filter, scope, sql``, (target) => compileAggregate(key.aggregate, target))
    case 'computed-aggregate':
      return notServed('Computed fields')
  }
}

function related(by: Join, filter: BooleanExpression, scope: Scope, top: Sql, select: (target: Scope) => Key): Key {
  const { statement } = scope
  statement.countJoin()
  const target = scopeOf(statement.alias('t', by.table.name), statement)
  const alias = statement.alias('order', by.table.name)
  const { joins, value } = select(target)
  const where = compileWhere([compileJoin(by, scope.row, target.row), compileBooleanExpression(filter, target)])
  const from = sql`${joinedRows(by)} AS ${target.row}${join(joins, sql``)}`
  return {
    joins: [sql` OUTER APPLY (SELECT ${top}${value} AS [key] FROM ${from}${where}) AS ${alias}`],
    value: sql`${alias}.[key]`,
  }
}

/** A masked column may hold a query, over which nothing is aggregated: it is a column of a row of its own. */
function compileAggregate(aggregate: OrderAggregate, scope: Scope): Key {
  if (aggregate.operator === 'count') return { joins: [], value: sql`COUNT_BIG(*)` }
  const { of, operator } = aggregate
  const value = compileOperand(of, scope)
  if (of.kind !== 'masked') return { joins: [], value: aggregateCall(operator, value, operandType(of)) }
  const row = scope.statement.alias('t', 'masked')
  return {
    joins: [sql` CROSS APPLY (SELECT ${value} AS [v]) AS ${row}`],
    value: aggregateCall(operator, sql`${row}.[v]`, operandType(of)),
  }
}

import type { OrderAggregate, OrderBy, OrderKey } from '../../../ir/index.ts'
import { join, sql } from '../../sql.ts'
import { compileAggregateCall } from './aggregate-call.ts'
import { compileBooleanExpression, joinedRows } from './boolean-expression.ts'
import { joinGrouped } from './join-grouped.ts'
import { compileOperand } from './operand.ts'
import { type Scope, type Sql, scopeOf } from './scope.ts'

/** Returns ` ORDER BY …`, or nothing. */
export function compileOrderBy(orderBy: readonly OrderBy[], scope: Scope): Sql {
  if (orderBy.length === 0) return sql``
  const keys = orderBy.map(({ key, direction, nulls }) => {
    const first = nulls === 'first' ? sql` NULLS FIRST` : sql` NULLS LAST`
    return sql`(${compileKey(key, scope)}) ${direction === 'asc' ? sql`ASC` : sql`DESC`}${first}`
  })
  return sql` ORDER BY ${join(keys, sql`, `)}`
}

/** Returns the same inside ARRAY_AGG, which accepts no NULLS FIRST: by itself ASC has them first, and DESC last. */
export function compileAggregateOrder(orderBy: readonly OrderBy[], scope: Scope): Sql {
  if (orderBy.length === 0) return sql``
  const keys = orderBy.flatMap(({ key, direction, nulls }): readonly Sql[] => {
    const value = compileKey(key, scope)
    if (direction === 'asc')
      return nulls === 'first' ? [sql`${value} ASC`] : [sql`(${value} IS NULL)`, sql`${value} ASC`]
    return nulls === 'last' ? [sql`${value} DESC`] : [sql`(${value} IS NULL) DESC`, sql`${value} DESC`]
  })
  return sql` ORDER BY ${join(keys, sql`, `)}`
}

/** What rows are ordered by; columns behind a relationship are joined to them. */
function compileKey(key: OrderKey, scope: Scope): Sql {
  switch (key.kind) {
    case 'operand':
      return compileOperand(key.of, scope)
    case 'related':
      return related(key, scope, (target) => sql`ANY_VALUE(${compileKey(key.key, target)})`)
    case 'related-aggregate': {
      const value = related(key, scope, (target) => compileAggregate(key.aggregate, target))
      return key.aggregate.operator === 'count' ? sql`IFNULL(${value}, 0)` : value
    }
    case 'computed-aggregate':
      throw new TypeError('BigQuery orders by no computed fields')
  }
}

function related(
  { join: by, filter }: Extract<OrderKey, { readonly kind: 'related' | 'related-aggregate' }>,
  scope: Scope,
  select: (target: Scope) => Sql,
): Sql {
  const { statement } = scope
  statement.reach()
  const target = scopeOf(statement, 't_', by.table)
  const value = select(target)
  const source = () => ({
    from: sql`${joinedRows(by, statement)} AS ${target.row.alias}`,
    where: [compileBooleanExpression(filter, target)],
  })
  return joinGrouped({ by, target, value, source, prefix: 'order_' }, scope)
}

const compileAggregate = (aggregate: OrderAggregate, scope: Scope): Sql =>
  aggregate.operator === 'count' ? sql`COUNT(*)` : compileAggregateCall(aggregate.operator, aggregate.of, scope)

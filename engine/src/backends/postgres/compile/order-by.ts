import {
  type BooleanExpression,
  columnOf,
  type Join,
  type OrderAggregate,
  type OrderBy,
  type OrderKey,
} from '../../../ir/index.ts'
import { compileJoin, compileWhere, join, sql } from '../../sql.ts'
import { compileAggregateCall } from './aggregate-call.ts'
import { compileBooleanExpression, joinedRows } from './boolean-expression.ts'
import { compileCall, presentRow } from './function-call.ts'
import { compileOperand } from './operand.ts'
import { type Scope, type Sql, scopeOf } from './scope.ts'

/**
 * ` ORDER BY …`, or nothing. What lies beyond a relationship is looked up row by row
 * (reference/queries#one-statement-for-a-root-field). `distinct`: the columns of DISTINCT ON, which have to stand here
 * in the very same words.
 */
export function compileOrderBy(
  orderBy: readonly OrderBy[],
  scope: Scope,
  distinct: ReadonlyMap<string, Sql> = new Map(),
): Sql {
  if (orderBy.length === 0) return sql``
  const keys = orderBy.map(({ key, direction, nulls }) => {
    const first = nulls === 'first' ? sql` NULLS FIRST` : sql` NULLS LAST`
    const column = key.kind === 'operand' ? columnOf(key.of) : null
    const same = column === null ? undefined : distinct.get(column)
    return sql`${same ?? compileKey(key, scope)} ${direction === 'asc' ? sql`ASC` : sql`DESC`}${first}`
  })
  return sql` ORDER BY ${join(keys, sql`, `)}`
}

/** What rows are ordered by. */
export function compileKey(key: OrderKey, scope: Scope): Sql {
  switch (key.kind) {
    case 'operand':
      return compileOperand(key.of, scope)
    case 'related':
      return related(key.join, key.filter, scope, (target) => compileKey(key.key, target), sql` LIMIT 1`)
    case 'related-aggregate':
      return related(key.join, key.filter, scope, (target) => compileAggregate(key.aggregate, target), sql``)
    case 'computed-aggregate':
      return scope.statement.reach(() => {
        const target = scopeOf(scope.statement.nextAlias(), scope.statement)
        const where = compileWhere([...presentRow(key.call, target.row), compileBooleanExpression(key.filter, target)])
        return sql`(SELECT ${compileAggregate(key.aggregate, target)} FROM ${compileCall(key.call, scope)} AS ${target.row}${where})`
      })
  }
}

function related(by: Join, filter: BooleanExpression, scope: Scope, select: (target: Scope) => Sql, limit: Sql): Sql {
  return scope.statement.reach(() => {
    const target = scopeOf(scope.statement.nextAlias(), scope.statement)
    const where = compileWhere([compileJoin(by, scope.row, target.row), compileBooleanExpression(filter, target)])
    return sql`(SELECT ${select(target)} FROM ${joinedRows(by)} AS ${target.row}${where}${limit})`
  })
}

function compileAggregate(aggregate: OrderAggregate, scope: Scope): Sql {
  return aggregate.operator === 'count' ? sql`count(*)` : compileAggregateCall(aggregate.operator, aggregate.of, scope)
}

/** What each comparison operator is in SQL (reference/filters#operators). */
import type { ComparisonOperator, DatabaseType } from '../../../ir/index.ts'
import { type Sql as Fragment, sql } from '../../sql.ts'
import type { Sql } from './scope.ts'

type Compare = (left: Sql, right: readonly Sql[]) => Sql

/** Compiles a comparison. Throws a TypeError for an operator that `operators` declares for no type. */
export function compileComparison(
  operator: ComparisonOperator,
  left: Sql,
  right: readonly Sql[],
  type: DatabaseType,
): Sql {
  const compare = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined
  if (!compare) throw new TypeError(`no such operator: ${operator}`)
  if (type.name !== 'JSON') return compare(left, right)
  // members of lists are texts already
  const isList = operator === 'in' || operator === 'nin'
  return compare(
    sql`TO_JSON_STRING(${left})`,
    right.map((one) => (isList ? one : sql`TO_JSON_STRING(${one})`)),
  )
}

const infix =
  (operator: Fragment): Compare =>
  (left, [right = none]) =>
    sql`(${left} ${operator} ${right})`

const spatial =
  (name: Fragment): Compare =>
  (left, [right = none]) =>
    sql`${name}(${left}, ${right})`

const none: Fragment = sql`NULL`

const comparisons: Readonly<Record<string, Compare>> = {
  eq: infix(sql`=`),
  neq: infix(sql`<>`),
  gt: infix(sql`>`),
  lt: infix(sql`<`),
  gte: infix(sql`>=`),
  lte: infix(sql`<=`),
  in: (left, [right = none]) => sql`(${left} IN ${right})`,
  nin: (left, [right = none]) => sql`(${left} NOT IN ${right})`,
  like: infix(sql`LIKE`),
  nlike: infix(sql`NOT LIKE`),
  ilike: (left, [right = none]) => sql`(LOWER(${left}) LIKE LOWER(${right}))`,
  nilike: (left, [right = none]) => sql`(LOWER(${left}) NOT LIKE LOWER(${right}))`,
  st_contains: spatial(sql`ST_CONTAINS`),
  st_equals: spatial(sql`ST_EQUALS`),
  st_intersects: spatial(sql`ST_INTERSECTS`),
  st_touches: spatial(sql`ST_TOUCHES`),
  st_within: spatial(sql`ST_WITHIN`),
  // values come in the order of the input object's fields, see operators()
  st_d_within: (left, [distance = none, from = none, spheroid = none]) =>
    sql`ST_DWITHIN(${left}, ${from}, ${distance}, ${spheroid})`,
}

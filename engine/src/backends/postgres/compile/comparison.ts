/** What each comparison operator is in SQL (reference/filters#operators). */
import type { ComparisonOperator, DatabaseType } from '../../../ir/index.ts'
import { type Sql as Fragment, ident, sql } from '../../sql.ts'
import { isType } from '../types/known-types.ts'
import type { Sql } from './scope.ts'

type Compare = (left: Sql, right: readonly Sql[], type: DatabaseType) => Sql

/** Compiles a comparison. Throws a TypeError for an operator that `operators` declares for no type. */
export function compileComparison(
  operator: ComparisonOperator,
  left: Sql,
  right: readonly Sql[],
  type: DatabaseType,
): Sql {
  const compare = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined
  if (!compare) throw new TypeError(`no such operator: ${operator}`)
  return compare(left, right, type)
}

const infix =
  (operator: Fragment): Compare =>
  (left, [right = none]) =>
    sql`(${left} ${operator} ${right})`

/** char(n) has no patterns of its own: its values are read as text, and so is the pattern, whose blanks count. */
const pattern =
  (operator: Fragment): Compare =>
  (left, [right = none], type) =>
    isType(type, 'bpchar') ? sql`((${left})::text ${operator} (${right})::text)` : sql`(${left} ${operator} ${right})`

const spatial =
  (name: string): Compare =>
  (left, right) =>
    sql`${ident(name)}(${left}, ${right[0] ?? none})`

const none: Fragment = sql`NULL`

const comparisons: Readonly<Record<string, Compare>> = {
  eq: infix(sql`=`),
  // PostGIS has no `<>`
  neq: (left, [right = none], type) =>
    isType(type, 'geometry', 'geography', 'raster') ? sql`(NOT (${left} = ${right}))` : sql`(${left} <> ${right})`,
  gt: infix(sql`>`),
  lt: infix(sql`<`),
  gte: infix(sql`>=`),
  lte: infix(sql`<=`),
  in: (left, [right = none]) => sql`(${left} = ANY (${right}))`,
  nin: (left, [right = none]) => sql`(NOT (${left} = ANY (${right})))`,

  like: pattern(sql`LIKE`),
  nlike: pattern(sql`NOT LIKE`),
  ilike: pattern(sql`ILIKE`),
  nilike: pattern(sql`NOT ILIKE`),
  similar: pattern(sql`SIMILAR TO`),
  nsimilar: pattern(sql`NOT SIMILAR TO`),
  regex: pattern(sql`~`),
  iregex: pattern(sql`~*`),
  nregex: pattern(sql`!~`),
  niregex: pattern(sql`!~*`),

  contains: infix(sql`@>`),
  contained_in: infix(sql`<@`),
  has_key: infix(sql`?`),
  has_keys_any: infix(sql`?|`),
  has_keys_all: infix(sql`?&`),

  ancestor: infix(sql`@>`),
  descendant: infix(sql`<@`),
  ancestor_any: (left, [right = none]) => sql`(${left} @> ANY (${right}))`,
  descendant_any: (left, [right = none]) => sql`(${left} <@ ANY (${right}))`,
  matches: infix(sql`~`),
  matches_any: (left, [right = none], type) => sql`(${left} ? (${right})::${ident(type.schema)}.${ident('lquery')}[])`,
  matches_fulltext: infix(sql`@`),

  st_contains: spatial('st_contains'),
  st_crosses: spatial('st_crosses'),
  st_equals: spatial('st_equals'),
  st_overlaps: spatial('st_overlaps'),
  st_touches: spatial('st_touches'),
  st_within: spatial('st_within'),
  st_intersects: spatial('st_intersects'),
  st_3d_intersects: spatial('st_3dintersects'),
  // values come in the order of the input object's fields, see operators()
  st_d_within: (left, [distance = none, from = none, spheroid]) =>
    spheroid
      ? sql`st_dwithin(${left}, ${from}, ${distance}, ${spheroid})`
      : sql`st_dwithin(${left}, ${from}, ${distance})`,
  st_3d_d_within: (left, [distance = none, from = none]) => sql`st_3ddwithin(${left}, ${from}, ${distance})`,
  st_intersects_rast: spatial('st_intersects'),
  st_intersects_nband_geom: (left, [nband = none, geommin = none]) => sql`st_intersects(${left}, ${nband}, ${geommin})`,
  st_intersects_geom_nband: (left, [geommin = none, nband = none]) => sql`st_intersects(${left}, ${geommin}, ${nband})`,
}

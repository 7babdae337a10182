import type { DatabaseType } from '../../../ir/index.ts'
import { type Sql, sql } from '../../sql.ts'
import { isType } from '../types/known-types.ts'

/**
 * Returns the expression of a value whose JSON is as reference/values#json-of-column-values says; most types are right
 * as they are.
 */
export function columnJson<Slot>(value: Sql<Slot>, type: DatabaseType, stringifyNumericTypes: boolean): Sql<Slot> {
  // 15 digits; 4: with the member `crs` when the SRID is known
  if (isType(type, 'geometry', 'geography')) return sql`ST_AsGeoJSON(${value}, 15, 4)::json`
  if (stringifyNumericTypes && isStringified(type)) return sql`(${value})::text`
  return value
}

/** Whether SVC_GRAPHQL_STRINGIFY_NUMERIC_TYPES turns a type into strings, in aggregates by the type of their column. */
export const isStringified = (type: DatabaseType): boolean => isType(type, 'int8', 'numeric', 'float8', 'money')

/** How text becomes a value of a type, a value JSON, and how types are written. */
import type { DatabaseType, ValueType } from '../../../ir/index.ts'
import { ident, type Sql, sql } from '../../sql.ts'
import { isType } from '../types/known-types.ts'

/** Returns a type as SQL writes it: `int4`, `"public"."citext"`, `int4[]`. */
export function typeName({ schema, name, array }: DatabaseType): Sql {
  // the database's own names need no schema: pg_catalog is searched first
  const element = schema === 'pg_catalog' ? ident(name) : sql`${ident(schema)}.${ident(name)}`
  return array ? sql`${element}[]` : element
}

/**
 * Returns a parameter's text as a value: `($1)::type`. Of a list, what is inside ANY( ): an array, or a query where a
 * type has no arrays that could hold its values.
 */
export function castTo<Slot>(text: Sql<Slot>, { type, list }: ValueType): Sql<Slot> {
  const read = reader(type)
  if (!list) return read ? read(text) : sql`(${text})::${typeName(type)}`
  if (!read && !type.array) return sql`(${text})::${typeName(type)}[]`
  const one = sql`"v"."v"`
  return sql`SELECT ${read ? read(one) : sql`${one}::${typeName(type)}`} FROM unnest((${text})::text[]) AS "v" ("v")`
}

type Reader = <Slot>(text: Sql<Slot>) => Sql<Slot>

/**
 * Types whose text in JSON is not the text that the database's own input function reads
 * (reference/filters#expressions-of-permissions, reference/values#values-of-input).
 */
function reader(type: DatabaseType): Reader | null {
  if (isType(type, 'geometry')) return (text) => sql`ST_GeomFromGeoJSON((${text})::text)`
  if (isType(type, 'geography')) return (text) => sql`ST_GeomFromGeoJSON((${text})::text)::${typeName(type)}`
  if (isType(type, 'raster')) return (text) => sql`ST_RastFromHexWKB((${text})::text)`
  return null
}

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

import { ApiError, type Path } from '../../../errors.ts'
import { isNumber, numberText, parseExactly } from '../../../exact-json/index.ts'
import type { DatabaseType, ValueType } from '../../../ir/index.ts'
import { type CoerceOne, coerceMember, integerText, unexpectedJson } from '../../coerce-json.ts'
import { arrayLiteral } from './array-literal.ts'
import { geometryProblem } from './check-geojson.ts'
import { type Family, familyOf, isType } from './known-types.ts'

/**
 * Returns JSON of a GraphQL value in the database's text form (reference/values#values-of-input); null is NULL. Numbers
 * with more digits than JavaScript's may come as they were written, as bigint or as text. Throws parse-failed at
 * `path`.
 */
export function coerceInput({ type, list }: ValueType, json: unknown, path: Path): string | null {
  if (json === null || json === undefined) return null
  if (!list) return coerceOne(type, json, path)
  return coerceMembers(coerceOne, type, Array.isArray(json) ? json : [json], path)
}

const coerceMembers = (coerce: CoerceOne, type: DatabaseType, members: readonly unknown[], path: Path): string =>
  arrayLiteral(members.map((member, i) => coerceMember(coerce, type, member, path, i)))

/** Returns the text of one value, which may be an array. */
export function coerceOne(type: DatabaseType, json: unknown, path: Path): string {
  if (!type.array) return coerceScalar(type, json, path)
  // an array's own text form: '{a,b}'
  if (typeof json === 'string') return json
  const element = { ...type, array: false }
  // as for any list, a single value stands for a list of one (reference/queries#variables)
  if (!Array.isArray(json)) return arrayLiteral([coerceScalar(element, json, path)])
  return coerceMembers(coerceScalar, element, json, path)
}

export function coerceScalar(type: DatabaseType, json: unknown, path: Path): string {
  const family = familyOf(type)
  if (family === 'json') return JSON.stringify(json)
  if (family === 'geometry') {
    const geometry = typeof json === 'string' ? geojsonOf(json) : json
    const problem = geometryProblem(geometry)
    if (problem !== null) throw new ApiError('parse-failed', path, problem)
    return JSON.stringify(geometry)
  }
  if (typeof json === 'string') return coerceString(family, json, path)
  if (family === 'integer' && isNumber(json)) return integerText(json, bitsOf(type), path)
  if (family === 'number' && isNumber(json)) return numberText(json)
  if (family === 'boolean' && typeof json === 'boolean') return String(json)
  throw unexpectedJson(expected[family], json, path)
}

/**
 * Returns the GeoJSON that a text contains, as in a path or query string
 * (reference/stored-queries#variables-of-endpoints), or the text itself, which is no geometry.
 */
export function geojsonOf(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return text
  }
}

function coerceString(family: Family, text: string, path: Path): string {
  if (family === 'ltree' && (text.length > LONGEST_LTREE || !ltreeLabels.test(text)))
    throw new ApiError(
      'parse-failed',
      path,
      'Expecting label path: a sequence of zero or more labels separated by dots, for example L1.L2.L3',
    )
  // what PostGIS says of it is an internal error; it reads the rest
  if (family === 'raster' && (text.length < SHORTEST_RASTER || !hexadecimal.test(text.slice(0, SHORTEST_RASTER))))
    throw new ApiError('parse-failed', path, 'Expecting a raster: the hexadecimal digits of its well-known binary form')
  return text
}

/** Hexadecimal digits of a raster without bands, which is a header only. */
const SHORTEST_RASTER = 122
const hexadecimal = /^[\da-f]+$/i

/** Characters of the longest text that is checked, since one expression checks the whole. */
const LONGEST_LTREE = 1_048_576
const ltreeLabels = /^([\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*)?$/u

const bitsOf = (type: DatabaseType): number => (isType(type, 'int2') ? 15 : isType(type, 'int8') ? 63 : 31)

const expected: Readonly<Record<Family, string>> = {
  integer: 'Number',
  number: 'Number',
  boolean: 'Bool',
  text: 'String',
  json: 'Object',
  geometry: 'Object',
  raster: 'String',
  ltree: 'String',
  opaque: 'String',
}

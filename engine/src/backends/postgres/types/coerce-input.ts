import { ApiError, type Path } from '../../../errors.ts'
import { isNumber, isRawNumber, numberText, parseExactly, wholeNumber } from '../../../exact-json/index.ts'
import type { DatabaseType, ValueType } from '../../../ir/index.ts'
import { arrayLiteral } from './array-literal.ts'
import { geometryProblem } from './check-geojson.ts'
import { type Family, familyOf, isType } from './known-types.ts'

/**
 * JSON of a GraphQL value -> the database's text form (reference/values#values-of-input); null is NULL. Numbers with
 * more digits than JavaScript's may come as they were written, as bigint or as text. Throws parse-failed at `path`.
 */
export function coerceInput({ type, list }: ValueType, json: unknown, path: Path): string | null {
  if (json === null || json === undefined) return null
  if (!list) return coerceOne(type, json, path)
  return coerceMembers(Array.isArray(json) ? json : [json], path, (member, at) => coerceOne(type, member, at))
}

type Coerce = (json: unknown, path: Path) => string

function coerceMembers(members: readonly unknown[], path: Path, coerceMember: Coerce): string {
  const texts = members.map((member, i) => {
    if (member === null) return null
    try {
      return coerceMember(member, path)
    } catch {
      // once more for the error's path: two million paths that no client reads took 3 s, their numbers 0.2 s
      return coerceMember(member, path.at(i))
    }
  })
  return arrayLiteral(texts)
}

function coerceOne(type: DatabaseType, json: unknown, path: Path): string {
  if (!type.array) return coerceScalar(type, json, path)
  // an array's own text form: '{a,b}'
  if (typeof json === 'string') return json
  const element = { ...type, array: false }
  // as for any list, a single value stands for a list of one (reference/queries#variables)
  if (!Array.isArray(json)) return arrayLiteral([coerceScalar(element, json, path)])
  return coerceMembers(json, path, (member, at) => coerceScalar(element, member, at))
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
  if (family === 'integer') return coerceInteger(type, json, path)
  if (family === 'number' && isNumber(json)) return numberText(json)
  if (family === 'boolean' && typeof json === 'boolean') return String(json)
  throw unexpected(expected[family], json, path)
}

/**
 * A path or query string carries GeoJSON as text (reference/stored-queries#variables-of-endpoints); other texts are no
 * geometry.
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

/** Digits of a header without bands. */
const SHORTEST_RASTER = 122
const hexadecimal = /^[\da-f]+$/i

/** The expression is tried at once. */
const LONGEST_LTREE = 1_048_576
const ltreeLabels = /^([\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*)?$/u

function coerceInteger(type: DatabaseType, json: unknown, path: Path): string {
  if (!isNumber(json)) throw unexpected('Number', json, path)
  const bits = isType(type, 'int2') ? 15 : isType(type, 'int8') ? 63 : 31
  // nearly all of them, in a quarter of the time that bigints take
  if (typeof json === 'number' && Number.isSafeInteger(json) && json < 2 ** bits && json >= -(2 ** bits))
    return String(json)
  const whole = wholeNumber(json)
  if (whole === null || whole >= 1n << BigInt(bits) || whole < -(1n << BigInt(bits)))
    throw new ApiError(
      'parse-failed',
      path,
      `The value ${numberText(json).slice(0, 100)} lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?`,
    )
  return String(whole)
}

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

const named: Readonly<Record<string, string>> = { String: 'Text', Array: '[]', Number: 'Scientific' }

function unexpected(wanted: string, json: unknown, path: Path): ApiError {
  const message = `parsing ${named[wanted] ?? wanted} failed, expected ${wanted}, but encountered ${jsonKind(json)}`
  return new ApiError('parse-failed', path, message)
}

function jsonKind(json: unknown): string {
  if (Array.isArray(json)) return 'Array'
  if (typeof json === 'object' && !isRawNumber(json)) return 'Object'
  if (typeof json === 'boolean') return 'Boolean'
  return typeof json === 'string' ? 'String' : 'Number'
}

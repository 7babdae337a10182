import { ApiError, type Path } from '../../../errors.ts'
import type { DatabaseType, ValueType } from '../../../ir/index.ts'
import { arrayLiteral } from './array-literal.ts'
import { geometryProblem } from './check-geojson.ts'
import { type Family, familyOf, isType } from './known-types.ts'

/**
 * JSON of a GraphQL value -> the database's text form (spec 02 §3.6); null is NULL. A whole number beyond 2^53 may come as
 * a bigint or a string. Throws parse-failed at `path`.
 */
export function coerceInput({ type, list }: ValueType, json: unknown, path: Path): string | null {
  if (json === null || json === undefined) return null
  if (!list) return coerceOne(type, json, path)
  const members = Array.isArray(json) ? json : [json]
  return arrayLiteral(members.map((member, i) => (member === null ? null : coerceOne(type, member, path.at(i)))))
}

function coerceOne(type: DatabaseType, json: unknown, path: Path): string {
  if (!type.array) return coerceScalar(type, json, path)
  // an array's own text form: '{a,b}'
  if (typeof json === 'string') return json
  if (!Array.isArray(json)) throw unexpected('Array', json, path)
  return arrayLiteral(json.map((member, i) => (member === null ? null : coerceScalar(type, member, path.at(i)))))
}

function coerceScalar(type: DatabaseType, json: unknown, path: Path): string {
  const family = familyOf(type)
  if (family === 'json') return JSON.stringify(json)
  if (family === 'geometry') {
    const problem = geometryProblem(json)
    if (problem !== null) throw new ApiError('parse-failed', path, problem)
    return JSON.stringify(json)
  }
  if (typeof json === 'string') return coerceString(family, json, path)
  if (family === 'integer') return coerceInteger(type, json, path)
  if (family === 'number' && (typeof json === 'number' || typeof json === 'bigint')) return String(json)
  if (family === 'boolean' && typeof json === 'boolean') return String(json)
  throw unexpected(expected[family], json, path)
}

function coerceString(family: Family, text: string, path: Path): string {
  if (family === 'ltree' && !ltreeLabels.test(text))
    throw new ApiError(
      'parse-failed',
      path,
      'Expecting label path: a sequence of zero or more labels separated by dots, for example L1.L2.L3',
    )
  return text
}

const ltreeLabels = /^([\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*)?$/u

function coerceInteger(type: DatabaseType, json: unknown, path: Path): string {
  if (typeof json !== 'number' && typeof json !== 'bigint') throw unexpected('Number', json, path)
  const bits = isType(type, 'int2') ? 15n : isType(type, 'int8') ? 63n : 31n
  const whole = typeof json === 'bigint' ? json : Number.isInteger(json) ? BigInt(json) : null
  if (whole === null || whole >= 1n << bits || whole < -(1n << bits))
    throw new ApiError(
      'parse-failed',
      path,
      `The value ${json} lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?`,
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
  if (typeof json === 'object') return 'Object'
  if (typeof json === 'boolean') return 'Boolean'
  return typeof json === 'string' ? 'String' : 'Number'
}

import { ApiError, type Path } from '../../../errors.ts'
import { isRawNumber, type RawNumber } from '../../../exact-json/index.ts'
import type { DatabaseType, ValueType } from '../../../ir/index.ts'
import type { LongWork } from '../../../long-work.ts'
import { type Family, familyOf } from './known-types.ts'

/**
 * JSON of a GraphQL value -> the text of a parameter (reference/values#bigquery); of a list, a JSON array of texts. null is
 * NULL. Throws parse-failed at `path`.
 */
export const coerceInput = (type: ValueType, json: unknown, path: Path): string | null => coerce(type, json, path, 32n)

/** The same with numbers of 64 bits. */
export const coerceStringNumbers = (type: ValueType, json: unknown, path: Path): string | null =>
  coerce(type, json, path, 64n)

/** As `coerceInput`, in pieces. */
export const coerceLong = (type: ValueType, json: unknown, path: Path): LongWork<string | null> =>
  coercePieces(type, json, path, 32n)

export const coerceLongStringNumbers = (type: ValueType, json: unknown, path: Path): LongWork<string | null> =>
  coercePieces(type, json, path, 64n)

/** `bits`: of whole numbers that are written as numbers. */
type Bits = 32n | 64n

function coerce({ type, list }: ValueType, json: unknown, path: Path, bits: Bits): string | null {
  if (json === null || json === undefined) return null
  if (!list) return coerceOne(type, json, path, bits)
  const members = Array.isArray(json) ? json : [json]
  return JSON.stringify(members.map((member, i) => memberText(type, member, path, i, bits)))
}

/** Members between two yields. */
const MEMBERS = 128

function* coercePieces({ type, list }: ValueType, json: unknown, path: Path, bits: Bits): LongWork<string | null> {
  if (!list || !Array.isArray(json)) return coerce({ type, list }, json, path, bits)
  const pieces: string[] = []
  for (let start = 0; start < json.length; start += MEMBERS) {
    const texts = json.slice(start, start + MEMBERS).map((member, i) => memberText(type, member, path, start + i, bits))
    pieces.push(JSON.stringify(texts).slice(1, -1))
    yield texts.length
  }
  return `[${pieces.join(',')}]`
}

function memberText(type: DatabaseType, member: unknown, path: Path, position: number, bits: Bits): string | null {
  if (member === null) return null
  try {
    return coerceOne(type, member, path, bits)
  } catch {
    // once more for the error's path, which takes longer than all else
    return coerceOne(type, member, path.at(position), bits)
  }
}

function coerceOne(type: DatabaseType, json: unknown, path: Path, bits: Bits): string {
  const family = familyOf(type)
  if (family === 'json') return JSON.stringify(json)
  if (typeof json === 'string') return coerceText(family, json, path)
  if (family === 'geography' && typeof json === 'object') return JSON.stringify(json)
  if (family === 'boolean' && typeof json === 'boolean') return String(json)
  if (isNumber(json) && family === 'integer') return integerText(numberText(json), bits, path)
  if (isNumber(json) && (family === 'float' || family === 'decimal')) return numberText(json)
  throw unexpected(expected[family], json, path)
}

/** A number may be a text too: that is how answers and the keys of joins have them, with all their digits. */
function coerceText(family: Family, text: string, path: Path): string {
  switch (family) {
    case 'integer':
      return integerText(text, 64n, path)
    case 'decimal':
      if (!decimal.test(text)) throw unexpected('Number', text, path)
      return text
    case 'float':
      if (!decimal.test(text) && !notFinite.test(text)) throw unexpected('Number', text, path)
      return text
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw unexpected('Bool', text, path)
      return text
    case 'text':
    case 'geography':
    case 'json':
      return text
  }
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const notFinite = /^([+-]?inf(inity)?|nan)$/i
/** Whole although written with a fraction. */
const whole = /^[+-]?\d+(\.0+)?$/

function integerText(text: string, bits: bigint, path: Path): string {
  const value = wholeNumber(text)
  const most = 1n << (bits - 1n)
  if (value !== null && value < most && value >= -most) return String(value)
  throw new ApiError(
    'parse-failed',
    path,
    `The value ${text.slice(0, 100)} lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?`,
  )
}

function wholeNumber(text: string): bigint | null {
  if (text.length > 100) return null
  if (whole.test(text)) return BigInt(text.replace(/^\+|\.0+$/g, ''))
  // 1e2
  return decimal.test(text) && /e/i.test(text) && Number.isSafeInteger(Number(text)) ? BigInt(Number(text)) : null
}

type JsonNumber = number | bigint | RawNumber

const isNumber = (json: unknown): json is JsonNumber =>
  typeof json === 'number' || typeof json === 'bigint' || isRawNumber(json)

const numberText = (json: JsonNumber): string => (isRawNumber(json) ? json.rawJSON : String(json))

const expected: Readonly<Record<Family, string>> = {
  integer: 'Number',
  float: 'Number',
  decimal: 'Number',
  boolean: 'Bool',
  text: 'String',
  geography: 'String',
  json: 'Object',
}

const named: Readonly<Record<string, string>> = { String: 'Text', Number: 'Scientific' }

function unexpected(wanted: string, json: unknown, path: Path): ApiError {
  const message = `parsing ${named[wanted] ?? wanted} failed, expected ${wanted}, but encountered ${jsonKind(json)}`
  return new ApiError('parse-failed', path, message)
}

function jsonKind(json: unknown): string {
  if (Array.isArray(json)) return 'Array'
  if (isNumber(json)) return 'Number'
  if (typeof json === 'boolean') return 'Boolean'
  return typeof json === 'string' ? 'String' : 'Object'
}

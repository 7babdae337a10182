import { ApiError, type Path } from '../../../errors.ts'
import { isNumber, numberText } from '../../../exact-json/index.ts'
import type { DatabaseType, ValueType } from '../../../ir/index.ts'
import { boundedText, coerceToJsonLists, integerText, unexpectedJson } from '../../coerce-json.ts'
import { type KnownType, knownType } from './known-types.ts'
import { plainDecimal } from './plain-decimal.ts'
import { wellKnownText } from './well-known-text.ts'

/** Returns why a text is no date, time or moment in the database's form, or null (docs/sql-server.md). */
function momentProblem(type: string, text: string): string | null {
  switch (type) {
    case 'date':
      return isDate(text) ? null : unread('date', text)
    case 'time':
      return time.test(text) ? null : unread('time', text)
    default: {
      const [date = '', clock = ''] = text.split(/[T ]/, 2)
      return isDate(date) && time.test(clock) ? null : unread('timestamp', text)
    }
  }
}

const unread = (called: string, text: string): string =>
  `could not parse ${called}: ${JSON.stringify(text.slice(0, 100))}`

const time = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,12})?$/

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (year === '' || Number(year) === 0) return false
  const date = new Date(`${text}T00:00:00Z`)
  // what the calendar lacks is another day, or none
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day)
}

/**
 * Returns the text of a session variable, whose lists are JSON lists, or members between braces with commas between
 * them (docs/sql-server.md). Numbers and moments are read by the database.
 */
export function coerceSession({ type, list }: ValueType, text: string): string {
  return list
    ? JSON.stringify(sessionMembers(text).map((member) => sessionText(type, member)))
    : sessionText(type, text)
}

const sessionText = (type: DatabaseType, text: string): string =>
  knownType(type).family === 'binary' ? hexadecimal(text) : text

function sessionMembers(text: string): readonly string[] {
  const inside = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1]
  if (inside !== undefined)
    return inside.trim() === '' ? [] : inside.split(',').map((member) => member.trim().replace(/^"(.*)"$/s, '$1'))
  try {
    const json: unknown = JSON.parse(text)
    if (Array.isArray(json)) return json.map(String)
  } catch {
    // one value that is no JSON
  }
  return [text]
}

/**
 * Both return JSON of a GraphQL value as the text of its slot (docs/sql-server.md); null is NULL, a list is a JSON list
 * of texts. Numbers with more digits than JavaScript's may come as they were written. Throws parse-failed at `path`.
 */
export const { coerceInput, coerceLong } = coerceToJsonLists(coerce)

function coerce(type: DatabaseType, json: unknown, path: Path): string {
  const known = knownType(type)
  switch (known.family) {
    case 'integer':
      return isNumber(json) ? integerText(json, known.bits ?? 31, path) : wholeText(known, json, path)
    case 'decimal':
      return decimalText(type, json, path)
    case 'float':
      return floatText(type, json, path)
    case 'boolean':
      return booleanText(json, path)
    case 'text':
    case 'opaque':
      return typeof json === 'string' ? json : refuse('String', json, path)
    case 'binary':
      return typeof json === 'string' ? hexadecimal(json) : refuse('String', json, path)
    case 'moment': {
      if (typeof json !== 'string') return refuse('String', json, path)
      const problem = momentProblem(type.name, json)
      if (problem !== null) throw new ApiError('parse-failed', path, problem)
      return json
    }
    case 'spatial':
      if (typeof json === 'string') return json
      return wellKnownText(json) ?? refuse('a geometry', json, path)
  }
}

/** Returns bytes as the database reads them with CONVERT, style 1. */
const hexadecimal = (text: string): string => `0x${Buffer.from(text).toString('hex').toUpperCase()}`

/** Returns a number's text, which may be a string with every digit; null for anything else. */
function numberOf(json: unknown): string | null {
  if (isNumber(json)) return numberText(json)
  return typeof json === 'string' && isNumberText(json) ? json.trim() : null
}

const isNumberText = (text: string): boolean => plainDecimal(text) !== null

function wholeText({ bits = 31 }: KnownType, json: unknown, path: Path): string {
  const text = numberOf(json)
  if (text === null) return refuse('Number', json, path)
  return boundedText(wholeOf(text), bits, text, path)
}

const wholeOf = (text: string): bigint | null => (/^[+-]?\d{1,40}$/.test(text) ? BigInt(text.replace('+', '')) : null)

const outside = (text: string, what: string, path: Path): ApiError =>
  new ApiError('parse-failed', path, `The value ${text.slice(0, 100)} lies outside the bounds ${what}`)

/** The server holds 38 digits, and of money 64 bits of ten-thousandths. */
function decimalText(type: DatabaseType, json: unknown, path: Path): string {
  const text = numberOf(json)
  const plain = text === null ? null : plainDecimal(text)
  if (text === null || plain === null) return refuse('Number', json, path)
  const [whole = '', fraction = ''] = plain.replace(/^-?0*/, '').split('.')
  const isMoney = type.name !== 'decimal' && type.name !== 'numeric'
  if (whole.length > 38 || (isMoney && beyondMoney(whole, fraction, plain.startsWith('-'))))
    throw outside(text, `of ${type.name}`, path)
  return plain
}

function beyondMoney(whole: string, fraction: string, isNegative: boolean): boolean {
  const units = BigInt(`${whole}${fraction.slice(0, 4).padEnd(4, '0')}`)
  return units > (isNegative ? 1n << 63n : (1n << 63n) - 1n)
}

function floatText(type: DatabaseType, json: unknown, path: Path): string {
  const text = numberOf(json)
  if (text === null) return refuse('Number', json, path)
  const number = type.name === 'real' ? Math.fround(Number(text)) : Number(text)
  if (!Number.isFinite(number)) throw outside(text, `of ${type.name}`, path)
  return text
}

function booleanText(json: unknown, path: Path): string {
  if (json === true || json === 1 || json === 'true' || json === '1') return '1'
  if (json === false || json === 0 || json === 'false' || json === '0') return '0'
  return refuse('Bool', json, path)
}

function refuse(wanted: string, json: unknown, path: Path): never {
  throw unexpectedJson(wanted, json, path)
}

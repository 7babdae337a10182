import { ApiError, type Path } from '../../../errors.ts'
import { isNumber, isRawNumber, numberText, wholeNumber } from '../../../exact-json/index.ts'
import type { DatabaseType, ValueType } from '../../../ir/index.ts'
import type { LongWork } from '../../../long-work.ts'
import { type KnownType, knownType } from './known-types.ts'
import { plainDecimal } from './plain-decimal.ts'
import { wellKnownText } from './well-known-text.ts'

/** Why a text is no date, time or moment as the database writes them; null where it is one (docs/sql-server.md). */
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
 * JSON of a GraphQL value -> the text that its slot is bound with (docs/sql-server.md); null is NULL, a list is a JSON
 * list of texts. Numbers with more digits than JavaScript's may come as they were written. Throws parse-failed at `path`.
 */
export function coerceInput({ type, list }: ValueType, json: unknown, path: Path): string | null {
  if (json === null || json === undefined) return null
  return list
    ? listText(membersOf(json).map((member, i) => coerceMember(type, member, path, i)))
    : coerce(type, json, path)
}

/** As `coerceInput`, in pieces. */
export function* coerceLong(type: ValueType, json: unknown, path: Path): LongWork<string | null> {
  if (!type.list || json === null || json === undefined) return coerceInput(type, json, path)
  const texts: (string | null)[] = []
  for (const [i, member] of membersOf(json).entries()) {
    texts.push(coerceMember(type.type, member, path, i))
    if (texts.length % MEMBERS === 0) yield MEMBERS
  }
  return listText(texts)
}

/** Members between two yields. */
const MEMBERS = 128

/**
 * A session variable's text: a list is a JSON list, or its members between braces with commas between them
 * (docs/sql-server.md). Numbers and moments are the database's to read.
 */
export function coerceSession({ type, list }: ValueType, text: string): string {
  return list ? listText(sessionMembers(text).map((member) => sessionText(type, member))) : sessionText(type, text)
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

const listText = (texts: readonly (string | null)[]): string => JSON.stringify(texts)

const membersOf = (json: unknown): readonly unknown[] => (Array.isArray(json) ? json : [json])

function coerceMember(type: DatabaseType, member: unknown, path: Path, i: number): string | null {
  if (member === null || member === undefined) return null
  try {
    return coerce(type, member, path)
  } catch {
    // once more for the error's path: paths that no client reads cost more than their values
    return coerce(type, member, path.at(i))
  }
}

function coerce(type: DatabaseType, json: unknown, path: Path): string {
  const known = knownType(type)
  switch (known.family) {
    case 'integer':
      return integerText(known, json, path)
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

/** The database reads it with CONVERT, style 1. */
const hexadecimal = (text: string): string => `0x${Buffer.from(text).toString('hex').toUpperCase()}`

/** A number's text, which may be a string with every digit; null for anything else. */
function numberOf(json: unknown): string | null {
  if (isNumber(json)) return numberText(json)
  return typeof json === 'string' && isNumberText(json) ? json.trim() : null
}

const isNumberText = (text: string): boolean => plainDecimal(text) !== null

function integerText({ bits = 31 }: KnownType, json: unknown, path: Path): string {
  if (typeof json === 'number' && Number.isSafeInteger(json) && json < 2 ** bits && json >= -(2 ** bits))
    return String(json)
  const text = numberOf(json)
  if (text === null) return refuse('Number', json, path)
  const whole = typeof json === 'string' ? wholeText(text) : isNumber(json) ? wholeNumber(json) : null
  if (whole === null || whole >= 1n << BigInt(bits) || whole < -(1n << BigInt(bits)))
    throw outside(text, 'or is not an integer. Maybe it is a float, or is there integer overflow?', path)
  return String(whole)
}

const wholeText = (text: string): bigint | null => (/^[+-]?\d{1,40}$/.test(text) ? BigInt(text.replace('+', '')) : null)

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
  const called = wanted === 'String' ? 'Text' : wanted === 'Number' ? 'Scientific' : wanted
  const message = `parsing ${called} failed, expected ${wanted}, but encountered ${jsonKind(json)}`
  throw new ApiError('parse-failed', path, message)
}

function jsonKind(json: unknown): string {
  if (Array.isArray(json)) return 'Array'
  if (typeof json === 'object' && !isRawNumber(json)) return 'Object'
  if (typeof json === 'boolean') return 'Boolean'
  return typeof json === 'string' ? 'String' : 'Number'
}

/** What is alike in how databases take JSON of GraphQL values as texts. */
import { ApiError, type Path } from '../errors.ts'
import { isNumber, type JsonNumber, numberText, wholeNumber } from '../exact-json/index.ts'
import type { DatabaseType, ValueType } from '../ir/index.ts'
import type { LongWork } from '../long-work.ts'

/** Returns the text of a value that is no list. Throws parse-failed at `path`. */
export type CoerceOne = (type: DatabaseType, json: unknown, path: Path) => string

/** Returns the text of a list's member, or null for NULL. Throws parse-failed at its place in the list. */
export function coerceMember(
  one: CoerceOne,
  type: DatabaseType,
  member: unknown,
  path: Path,
  i: number,
): string | null {
  if (member === null || member === undefined) return null
  try {
    return one(type, member, path)
  } catch {
    // once more for the error's path: two million paths that no client reads took 3 s, their numbers 0.2 s
    return one(type, member, path.at(i))
  }
}

/** Members between two yields. */
const MEMBERS = 128

/** Returns `coerceInput` and `coerceLong` of a type system whose lists are bound as JSON lists of texts. */
export function coerceToJsonLists(one: CoerceOne) {
  const coerceInput = ({ type, list }: ValueType, json: unknown, path: Path): string | null => {
    if (json === null || json === undefined) return null
    if (!list) return one(type, json, path)
    const members = Array.isArray(json) ? json : [json]
    return JSON.stringify(members.map((member, i) => coerceMember(one, type, member, path, i)))
  }
  function* coerceLong({ type, list }: ValueType, json: unknown, path: Path): LongWork<string | null> {
    if (!list || !Array.isArray(json)) return coerceInput({ type, list }, json, path)
    const pieces: string[] = []
    for (let start = 0; start < json.length; start += MEMBERS) {
      const members = json.slice(start, start + MEMBERS)
      const texts = members.map((member, i) => coerceMember(one, type, member, path, start + i))
      pieces.push(JSON.stringify(texts).slice(1, -1))
      yield texts.length
    }
    return `[${pieces.join(',')}]`
  }
  return { coerceInput, coerceLong }
}

/** Returns the text of a whole number of so many bits and a sign. Throws parse-failed. */
export function integerText(json: JsonNumber, bits: number, path: Path): string {
  // nearly all of them, in a quarter of the time that bigints take
  if (typeof json === 'number' && Number.isSafeInteger(json) && json < 2 ** bits && json >= -(2 ** bits))
    return String(json)
  return boundedText(wholeNumber(json), bits, numberText(json), path)
}

/** The same for one that is `written` as a text; null: that is no whole number. */
export function boundedText(whole: bigint | null, bits: number, written: string, path: Path): string {
  if (whole !== null && whole < 1n << BigInt(bits) && whole >= -(1n << BigInt(bits))) return String(whole)
  throw new ApiError(
    'parse-failed',
    path,
    `The value ${written.slice(0, 100)} lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?`,
  )
}

/** Returns the error for JSON of another kind than the expected one, in the contract's words. */
export function unexpectedJson(expected: string, json: unknown, path: Path): ApiError {
  const parsed = expected === 'String' ? 'Text' : expected === 'Number' ? 'Scientific' : expected
  const message = `parsing ${parsed} failed, expected ${expected}, but encountered ${jsonKind(json)}`
  return new ApiError('parse-failed', path, message)
}

function jsonKind(json: unknown): string {
  if (Array.isArray(json)) return 'Array'
  if (isNumber(json)) return 'Number'
  if (typeof json === 'boolean') return 'Boolean'
  return typeof json === 'string' ? 'String' : 'Object'
}

import type { Expected, ExpectedMember, ExpectedMembers, ExpectedWords } from './expected.ts'
import { keyOf } from './members.ts'
import { skipKey, skipSpace, skipString, skipValue, wrongJson } from './skip-value.ts'

/** What was found while values were read. */
export interface Reading {
  readonly bytes: Buffer
  /** The first value that is not what was expected. */
  problem: Problem | null
  /** What is passed on as something else, in the order of the bytes: words that have a replacement, hidden members. */
  readonly replaced: Replaced[]
}

interface Problem {
  /** Where the value begins; of a member that is missing, its object. */
  readonly at: number
  readonly expected: Expected
  /** The member that is missing; null: the value itself is another. */
  readonly missing: string | null
}

interface Replaced {
  readonly start: number
  readonly end: number
  readonly by: Uint8Array
}

export const startReading = (bytes: Buffer): Reading => ({ bytes, problem: null, replaced: [] })

/** Begins again where a member is repeated, since the last counts: what was found in the earlier ones is dropped. */
export function restart(reading: Reading): void {
  reading.problem = null
  reading.replaced.length = 0
}

/**
 * The place behind the value that begins at `at`. What is not as expected is noted, and read on from; members that no one
 * expects are passed over. It goes no deeper into itself than what is expected does. Throws a SyntaxError for what is not JSON.
 */
export function readExpected(reading: Reading, at: number, expected: Expected): number {
  const { bytes } = reading
  const first = bytes[at]
  if (first === 0x6e) {
    if (expected.isNonNull) return unexpected(reading, at, expected)
    return skipValue(bytes, at)
  }
  switch (expected.kind) {
    case 'string':
      return first === quote ? skipString(bytes, at) : unexpected(reading, at, expected)
    case 'integer':
      return readInteger(reading, at, expected)
    case 'id':
      return first === quote ? skipString(bytes, at) : readInteger(reading, at, expected)
    case 'object':
      if (first !== openBrace || !expected.members) return unexpected(reading, at, expected)
      return readObject(reading, at, expected, expected.members)
    case 'list':
      if (first !== openBracket || !expected.items) return unexpected(reading, at, expected)
      return readList(reading, at, expected.items)
    case 'number':
      return first === minus || isDigit(first) ? skipValue(bytes, at) : unexpected(reading, at, expected)
    case 'boolean':
      return first === 0x74 || first === 0x66 ? skipValue(bytes, at) : unexpected(reading, at, expected)
    case 'word':
      if (first !== quote || !expected.words) return unexpected(reading, at, expected)
      return readWord(reading, at, expected, expected.words)
    case 'any':
      return skipValue(bytes, at)
  }
}

const quote = 0x22
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c
const colon = 0x3a
const nothing = Buffer.alloc(0)
const minus = 0x2d

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

function unexpected(reading: Reading, at: number, expected: Expected, missing: string | null = null): number {
  reading.problem ??= { at, expected, missing }
  return skipValue(reading.bytes, at)
}

/** Any number of digits. Some servers write `1.0`. */
function readInteger(reading: Reading, at: number, expected: Expected): number {
  const { bytes } = reading
  const first = bytes[at] === minus ? at + 1 : at
  if (!isDigit(bytes[first])) return unexpected(reading, at, expected)
  let i = first
  while (isDigit(bytes[i])) i++
  const hasLeadingZero = bytes[first] === 0x30 && i > first + 1
  const hasMore = bytes[i] === 0x2e || bytes[i] === 0x65 || bytes[i] === 0x45
  if (!hasLeadingZero && !hasMore) return i
  const end = skipValue(bytes, at)
  return isWhole(bytes.toString('latin1', first, end)) ? end : unexpected(reading, at, expected)
}

/** Whether a number without sign is whole, digit for digit: a double has `1e-400` for 0 and `1e400` for infinite. */
function isWhole(text: string): boolean {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  let last = digits.length
  while (digits[last - 1] === '0') last--
  return last === 0 || last <= whole.length + Number(exponent)
}

function readList(reading: Reading, at: number, items: Expected): number {
  const { bytes } = reading
  let i = skipSpace(bytes, at + 1)
  if (bytes[i] === closeBracket) return i + 1
  for (;;) {
    i = skipSpace(bytes, readExpected(reading, i, items))
    if (bytes[i] === closeBracket) return i + 1
    if (bytes[i] !== comma) wrongJson(bytes, i)
    i = skipSpace(bytes, i + 1)
  }
}

/** Servers answer in the order of the query, so that a member is mostly the one after the last. */
function readObject(reading: Reading, at: number, expected: Expected, { list, numbers }: ExpectedMembers): number {
  const { bytes } = reading
  let next = 0
  let passed: Set<number> | null = null
  let kept = 0
  let before = at
  let i = skipSpace(bytes, at + 1)
  if (bytes[i] === closeBrace) i++
  else
    for (;;) {
      const begin = i
      let number = next
      const likely = list[next]
      if (likely && isAt(bytes, i, likely.quoted)) {
        next++
        i = skipSpace(bytes, i + likely.quoted.length)
        if (bytes[i] !== colon) wrongJson(bytes, i)
        i = skipSpace(bytes, i + 1)
      } else {
        i = skipKey(bytes, begin)
        number = numbers.get(keyOf(bytes, begin + 1, skipString(bytes, begin) - 1)) ?? -1
        if (number >= next) {
          passed = requiredBetween(list, next, number, passed)
          next = number + 1
        } else passed?.delete(number)
      }
      const member = list[number]
      const end = member ? readExpected(reading, i, member.value) : skipValue(bytes, i)
      i = skipSpace(bytes, end)
      const isLast = bytes[i] === closeBrace
      if (!isLast && bytes[i] !== comma) wrongJson(bytes, i)
      const after = isLast ? i : skipSpace(bytes, i + 1)
      if (!member?.isHidden) kept++
      else if (kept > 0) reading.replaced.push({ start: before, end, by: nothing })
      else reading.replaced.push({ start: begin, end: after, by: nothing })
      before = i
      i = after
      if (isLast) {
        i++
        break
      }
    }
  if (next < list.length) passed = requiredBetween(list, next, list.length, passed)
  if (passed !== null && passed.size > 0 && reading.problem === null)
    reading.problem = { at, expected, missing: list[Math.min(...passed)]?.name ?? null }
  return i
}

/** The required members from number `start` to before `end` are not there, as far as is known. */
function requiredBetween(
  list: readonly ExpectedMember[],
  start: number,
  end: number,
  passed: Set<number> | null,
): Set<number> | null {
  let all = passed
  for (let number = start; number < end; number++)
    if (list[number]?.isRequired) {
      all ??= new Set()
      all.add(number)
    }
  return all
}

function readWord(reading: Reading, at: number, expected: Expected, words: ExpectedWords): number {
  const { bytes } = reading
  const end = skipString(bytes, at)
  const number = wordAt(bytes, at, end, words)
  if (number < 0) return unexpected(reading, at, expected)
  const by = words.replacements[number]
  if (by) reading.replaced.push({ start: at, end, by })
  return end
}

function wordAt(bytes: Buffer, at: number, end: number, { quoted, numbers }: ExpectedWords): number {
  if (quoted.length > 8) return numbers.get(keyOf(bytes, at + 1, end - 1)) ?? -1
  for (let i = 0; i < quoted.length; i++) {
    const word = quoted[i]
    if (word && word.length === end - at && isAt(bytes, at, word)) return i
  }
  // servers may write letters as escapes
  return numbers.get(keyOf(bytes, at + 1, end - 1)) ?? -1
}

function isAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  const { length } = text
  for (let i = 0; i < length; i++) if (bytes[at + i] !== text[i]) return false
  return true
}

import type { Expected, ExpectedMember, ExpectedMembers, ExpectedWords } from './expected.ts'
import { keyOf, readMembers } from './members.ts'
import { skipKey, skipSpace, skipString, skipValue, wrongJson } from './skip-value.ts'

/** What was found while values were read. */
export interface Reading {
  readonly bytes: Buffer
  /** The first value that is not what was expected. */
  problem: Problem | null
  /** What is passed on as something else, in the order of the bytes: words that have a replacement, hidden members. */
  readonly replaced: Replaced[]
}

export interface Problem {
  /** Where the value begins; of a member that is missing, its object. */
  readonly at: number
  readonly expected: Expected
  /** The member that is missing; null: the value itself is another. */
  readonly missing: string | null
}

export interface Replaced {
  readonly start: number
  readonly end: number
  readonly by: Uint8Array
}

export const startReading = (bytes: Buffer): Reading => ({ bytes, problem: null, replaced: [] })

/** Of several equal members the last counts: what was found in others is forgotten. */
export function restart(reading: Reading): void {
  reading.problem = null
  reading.replaced.length = 0
}

/**
 * The place behind the value that begins at `at`. What is not as expected is noted, and read on from; members that nobody
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
      return first === 0x7b && expected.members ? readObject(reading, at, expected, expected.members) : unexpected(reading, at, expected) // biome-ignore format: one line
    case 'list':
      return first === 0x5b && expected.items ? readList(reading, at, expected.items) : unexpected(reading, at, expected) // biome-ignore format: one line
    case 'number':
      return first === minus || isDigit(first) ? skipValue(bytes, at) : unexpected(reading, at, expected)
    case 'boolean':
      return first === 0x74 || first === 0x66 ? skipValue(bytes, at) : unexpected(reading, at, expected)
    case 'word':
      return first === quote && expected.words ? readWord(reading, at, expected, expected.words) : unexpected(reading, at, expected) // biome-ignore format: one line
    case 'any':
      return skipValue(bytes, at)
  }
}

const quote = 0x22
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
  let i = first
  while (isDigit(bytes[i])) i++
  const byte = bytes[i]
  const isPlain = i > first && (bytes[first] !== 0x30 || i === first + 1) && byte !== 0x2e && byte !== 0x65 && byte !== 0x45 // biome-ignore format: one line
  if (isPlain) return i
  const end = skipValue(bytes, at)
  const isWhole = (first < at + 2 && isDigit(bytes[first])) && Number.isInteger(Number(bytes.toString('latin1', at, end))) // biome-ignore format: one line
  return isWhole ? end : unexpected(reading, at, expected)
}

function readList(reading: Reading, at: number, items: Expected): number {
  const { bytes } = reading
  let i = skipSpace(bytes, at + 1)
  if (bytes[i] === 0x5d) return i + 1
  for (;;) {
    i = skipSpace(bytes, readExpected(reading, i, items))
    if (bytes[i] === 0x5d) return i + 1
    if (bytes[i] !== 0x2c) wrongJson(bytes, i)
    i = skipSpace(bytes, i + 1)
  }
}

/** Servers answer in the order in which they are asked, so that a member is mostly the one after the last. */
function readObject(reading: Reading, at: number, expected: Expected, { list, numbers }: ExpectedMembers): number {
  const { bytes } = reading
  let next = 0
  let isInOrder = true
  let kept = 0
  let comma = at
  let i = skipSpace(bytes, at + 1)
  if (bytes[i] === 0x7d) i++
  else
    for (;;) {
      const begin = i
      const likely = list[next]
      let member: ExpectedMember | undefined
      if (likely && isAt(bytes, i, likely.quoted)) {
        member = likely
        next++
        i = skipSpace(bytes, i + likely.quoted.length)
        if (bytes[i] !== 0x3a) wrongJson(bytes, i)
        i = skipSpace(bytes, i + 1)
      } else {
        const start = skipKey(bytes, i)
        const number = numbers.get(keyOf(bytes, i + 1, skipString(bytes, i) - 1)) ?? -1
        i = start
        member = list[number]
        if (number >= next) {
          for (let passed = next; passed < number; passed++) if (list[passed]?.isRequired) isInOrder = false
          next = number + 1
        }
      }
      const end = member ? readExpected(reading, i, member.value) : skipValue(bytes, i)
      i = skipSpace(bytes, end)
      const isLast = bytes[i] === 0x7d
      if (!isLast && bytes[i] !== 0x2c) wrongJson(bytes, i)
      const after = isLast ? i : skipSpace(bytes, i + 1)
      if (!member?.isHidden) kept++
      else
        reading.replaced.push(kept > 0 ? { start: comma, end, by: nothing } : { start: begin, end: after, by: nothing })
      comma = i
      i = after
      if (isLast) {
        i++
        break
      }
    }
  for (; next < list.length; next++) if (list[next]?.isRequired) isInOrder = false
  if (!isInOrder && reading.problem === null) noteMissing(reading, at, expected, list)
  return i
}

function noteMissing(reading: Reading, at: number, expected: Expected, list: readonly ExpectedMember[]): void {
  const { bytes } = reading
  const found = new Set<string>()
  readMembers(bytes, at, (key, start) => {
    found.add(key)
    return skipValue(bytes, start)
  })
  const missing = list.find(({ name, isRequired }) => isRequired && !found.has(name))
  if (missing) reading.problem = { at, expected, missing: missing.name }
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

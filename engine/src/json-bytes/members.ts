import { skipKey, skipSpace, skipString, skipValue, wrongJson } from './skip-value.ts'

/** Where a value stands in bytes. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Of several equal keys the last counts, as in JSON.parse. Null: it is no object. Throws a SyntaxError. */
export function members(bytes: Buffer, at: number): ReadonlyMap<string, Range> | null {
  if (bytes[at] !== 0x7b) return null
  const found = new Map<string, Range>()
  readMembers(bytes, at, (key, start) => {
    const end = skipValue(bytes, start)
    found.set(key, { start, end })
    return end
  })
  return found
}

/**
 * Returns the place after an object. `read` is passed where each value begins and returns where it ends. Throws a
 * SyntaxError.
 */
export function readMembers(bytes: Buffer, at: number, read: (key: string, start: number) => number): number {
  let i = skipSpace(bytes, at + 1)
  if (bytes[i] === 0x7d) return i + 1
  for (;;) {
    const keyEnd = skipString(bytes, i)
    const key = keyOf(bytes, i + 1, keyEnd - 1)
    i = skipSpace(bytes, keyEnd)
    if (bytes[i] !== 0x3a) wrongJson(bytes, i)
    i = skipSpace(bytes, read(key, skipSpace(bytes, i + 1)))
    if (bytes[i] === 0x7d) return i + 1
    if (bytes[i] !== 0x2c) wrongJson(bytes, i)
    i = skipSpace(bytes, i + 1)
  }
}

/**
 * Writes where the members `f0`, `f1` … of an object are into `ranges`, begin and end in turn: -1 where there is none.
 * `read` is passed where each of them begins and returns where it ends. Other members are skipped. Returns the place
 * after the object. Throws a SyntaxError.
 */
export function numberedMembers(
  bytes: Buffer,
  at: number,
  ranges: number[],
  read = (start: number): number => skipValue(bytes, start),
): number {
  ranges.fill(-1)
  const count = ranges.length / 2
  let i = skipSpace(bytes, at + 1)
  if (bytes[i] === 0x7d) return i + 1
  for (;;) {
    const keyEnd = skipString(bytes, i)
    const number = bytes[i + 1] === 0x66 ? digits(bytes, i + 2, keyEnd - 1) : -1
    i = skipSpace(bytes, keyEnd)
    if (bytes[i] !== 0x3a) wrongJson(bytes, i)
    const start = skipSpace(bytes, i + 1)
    const isKnown = number >= 0 && number < count
    const end = isKnown ? read(start) : skipValue(bytes, start)
    if (isKnown) {
      ranges[2 * number] = start
      ranges[2 * number + 1] = end
    }
    i = skipSpace(bytes, end)
    if (bytes[i] === 0x7d) return i + 1
    if (bytes[i] !== 0x2c) wrongJson(bytes, i)
    i = skipSpace(bytes, i + 1)
  }
}

/** -1 where there is anything else. */
function digits(bytes: Buffer, start: number, end: number): number {
  const isOther = start === end || end - start > 9 || (bytes[start] === 0x30 && end > start + 1)
  if (isOther) return -1
  let number = 0
  for (let i = start; i < end; i++) {
    const digit = (bytes[i] ?? 0) - 0x30
    if (digit < 0 || digit > 9) return -1
    number = 10 * number + digit
  }
  return number
}

/** Of a list of objects with one member each: where the values stand, beginnings and ends by turns. Throws a SyntaxError. */
export function onlyMembers(bytes: Buffer, at: number): readonly number[] {
  const ranges: number[] = []
  let i = skipSpace(bytes, at + 1)
  while (bytes[i] === 0x7b) {
    const start = skipKey(bytes, skipSpace(bytes, i + 1))
    const end = skipValue(bytes, start)
    ranges.push(start, end)
    i = skipSpace(bytes, skipSpace(bytes, end) + 1)
    if (bytes[i] === 0x2c) i = skipSpace(bytes, i + 1)
  }
  return ranges
}

/** The text of a key between its quotes. */
export function keyOf(bytes: Buffer, start: number, end: number): string {
  const isPlain = !bytes.subarray(start, end).includes(0x5c)
  return isPlain ? bytes.toString('utf8', start, end) : String(JSON.parse(bytes.toString('utf8', start - 1, end + 1)))
}

export const isNull = (bytes: Buffer, { start }: Range): boolean => bytes[start] === 0x6e

import { skipSpace, skipString, skipValue, wrongJson } from './skip-value.ts'

/** Where a value stands in bytes. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Of several equal keys the last counts, as in JSON.parse. Null: it is no object. Throws a SyntaxError. */
export function members(bytes: Buffer, at: number): ReadonlyMap<string, Range> | null {
  if (bytes[at] !== 0x7b) return null
  const found = new Map<string, Range>()
  let i = skipSpace(bytes, at + 1)
  if (bytes[i] === 0x7d) return found
  for (;;) {
    const keyEnd = skipString(bytes, i)
    const key = keyOf(bytes, i + 1, keyEnd - 1)
    i = skipSpace(bytes, keyEnd)
    if (bytes[i] !== 0x3a) wrongJson(bytes, i)
    const start = skipSpace(bytes, i + 1)
    const end = skipValue(bytes, start)
    found.set(key, { start, end })
    i = skipSpace(bytes, end)
    if (bytes[i] === 0x7d) return found
    if (bytes[i] !== 0x2c) wrongJson(bytes, i)
    i = skipSpace(bytes, i + 1)
  }
}

/** The text of a key between its quotes. */
export function keyOf(bytes: Buffer, start: number, end: number): string {
  const isPlain = !bytes.subarray(start, end).includes(0x5c)
  return isPlain ? bytes.toString('utf8', start, end) : String(JSON.parse(bytes.toString('utf8', start - 1, end + 1)))
}

/** The values of a list. Null: it is none. Throws a SyntaxError. */
export function elements(bytes: Buffer, at: number): readonly Range[] | null {
  if (bytes[at] !== 0x5b) return null
  const found: Range[] = []
  let i = skipSpace(bytes, at + 1)
  if (bytes[i] === 0x5d) return found
  for (;;) {
    const end = skipValue(bytes, i)
    found.push({ start: i, end })
    i = skipSpace(bytes, end)
    if (bytes[i] === 0x5d) return found
    if (bytes[i] !== 0x2c) wrongJson(bytes, i)
    i = skipSpace(bytes, i + 1)
  }
}

export const isNull = (bytes: Buffer, { start }: Range): boolean => bytes[start] === 0x6e

/** Reads JSON without making anything of it: where values begin and end, and whether it is JSON at all (RFC 8259). */

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

/** Throws a SyntaxError. */
export function wrongJson(bytes: Uint8Array, at: number): never {
  throw new SyntaxError(at >= bytes.length ? 'Unexpected end of JSON input' : `Unexpected token at position ${at}`)
}

/** The first place from `at` on that is no white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at
  for (let byte = bytes[i]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[i]) i++
  return i
}

/** The place behind the string that begins at `at`. Throws a SyntaxError. */
export function skipString(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== quote) wrongJson(bytes, at)
  let i = at + 1
  for (;;) {
    const byte = bytes[i]
    if (byte === quote) return i + 1
    if (byte === undefined || byte < 0x20) wrongJson(bytes, i)
    i = byte === backslash ? skipEscape(bytes, i + 1) : i + 1
  }
}

const escapes: ReadonlySet<number | undefined> = new Set([...'"\\/bfnrt'].map((letter) => letter.charCodeAt(0)))

function skipEscape(bytes: Uint8Array, at: number): number {
  if (escapes.has(bytes[at])) return at + 1
  if (bytes[at] !== 0x75) wrongJson(bytes, at)
  for (let i = at + 1; i <= at + 4; i++) {
    const byte = bytes[i] ?? 0
    const isHex = isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)
    if (!isHex) wrongJson(bytes, i)
  }
  return at + 5
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

function skipDigits(bytes: Uint8Array, at: number): number {
  if (!isDigit(bytes[at])) wrongJson(bytes, at)
  let i = at + 1
  while (isDigit(bytes[i])) i++
  return i
}

function skipNumber(bytes: Uint8Array, at: number): number {
  let i = bytes[at] === 0x2d ? at + 1 : at
  i = bytes[i] === 0x30 ? i + 1 : skipDigits(bytes, i)
  if (bytes[i] === 0x2e) i = skipDigits(bytes, i + 1)
  if (bytes[i] === 0x65 || bytes[i] === 0x45) {
    const sign = bytes[i + 1]
    i = skipDigits(bytes, sign === 0x2b || sign === 0x2d ? i + 2 : i + 1)
  }
  return i
}

function skipWord(bytes: Uint8Array, at: number, word: string): number {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word.charCodeAt(i)) wrongJson(bytes, at + i)
  return at + word.length
}

function skipScalar(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case quote:
      return skipString(bytes, at)
    case 0x74:
      return skipWord(bytes, at, 'true')
    case 0x66:
      return skipWord(bytes, at, 'false')
    case 0x6e:
      return skipWord(bytes, at, 'null')
    default:
      return skipNumber(bytes, at)
  }
}

/** What closes the objects and lists that are open: used again by the next value, since thousands are read. */
let open = new Uint8Array(1024)
const mostKept = 65_536

/**
 * The place behind the value that begins at `at`. However deep it is, it takes no more than a byte of memory a level.
 * Throws a SyntaxError.
 */
export function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at]
  if (first !== openBrace && first !== openBracket) return skipScalar(bytes, at)
  if (open.length > mostKept) open = new Uint8Array(1024)
  let depth = 0
  let i = at
  for (;;) {
    const byte = bytes[i]
    if (byte === openBrace || byte === openBracket) {
      const isObject = byte === openBrace
      i = skipSpace(bytes, i + 1)
      if (bytes[i] !== (isObject ? closeBrace : closeBracket)) {
        if (depth === open.length) {
          const larger = new Uint8Array(2 * depth)
          larger.set(open)
          open = larger
        }
        open[depth++] = isObject ? closeBrace : closeBracket
        if (isObject) i = skipKey(bytes, i)
        continue
      }
      i++
    } else i = skipScalar(bytes, i)
    // behind a value: lists and objects end, or go on
    for (;;) {
      if (depth === 0) return i
      const closing = open[depth - 1]
      i = skipSpace(bytes, i)
      const next = bytes[i]
      if (next === closing) {
        depth--
        i++
        continue
      }
      if (next !== comma) wrongJson(bytes, i)
      i = skipSpace(bytes, i + 1)
      if (closing === closeBrace) i = skipKey(bytes, i)
      break
    }
  }
}

/** The place of the value whose key begins at `at`. Throws a SyntaxError. */
export function skipKey(bytes: Uint8Array, at: number): number {
  const i = skipSpace(bytes, skipString(bytes, at))
  if (bytes[i] !== colon) wrongJson(bytes, i)
  return skipSpace(bytes, i + 1)
}

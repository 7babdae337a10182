/** What JSON.parse has made of a short container. */
export interface ShortContainer {
  readonly of: object
  /** Commas and opening brackets, its own too. */
  readonly values: number
  /** It counts too. */
  readonly levels: number
  /** Bytes. */
  readonly length: number
  /** Whether a text in it has an escape by number. */
  readonly isOdd: boolean
}

/** Bytes. */
const SHORT = 16_384
const quote = 34
const comma = 44
const openingBracket = 91
const backslash = 92
const closingBracket = 93
const letterCapitalE = 69
const letterE = 101
const letterU = 117
const openingBrace = 123
const closingBrace = 125

/**
 * The container that begins at `start`, if it has at most `most` values and `size` bytes and is JSON without long numbers and powers of
 * ten, whose digits JSON.parse does not keep. Else the place up to which it was read.
 */
export function readShort(bytes: Buffer, start: number, most: number, size = SHORT): ShortContainer | number {
  const last = Math.min(bytes.length, start + size)
  let values = 0
  let depth = 0
  let levels = 0
  let digits = 0
  let isOdd = false
  for (let at = start; at < last; at++) {
    const byte = bytes[at] as number
    if (isOfNumber(byte)) {
      if (++digits > mostDigits) return at
      continue
    }
    if (digits > 0 && (byte === letterE || byte === letterCapitalE)) return at
    digits = 0
    switch (byte) {
      case quote:
        for (at++; at < last && bytes[at] !== quote; at++)
          if (bytes[at] === backslash && bytes[++at] === letterU) isOdd = true
        break
      case openingBracket:
      case openingBrace:
        if (++depth > levels) levels = depth
        if (++values > most) return at
        break
      case comma:
        if (++values > most) return at
        break
      case closingBracket:
      case closingBrace:
        if (--depth > 0) break
        try {
          return {
            of: JSON.parse(bytes.toString('utf8', start, at + 1)),
            values,
            levels,
            length: at + 1 - start,
            isOdd,
          }
        } catch {
          // read again for the place of the error
          return at
        }
    }
  }
  return last
}

/** Characters of a number: JavaScript keeps any 15 digits. */
const mostDigits = 15

/** Digits, `+`, `-` and `.`. */
const isOfNumber = (byte: number) => (byte >= 48 && byte <= 57) || byte === 43 || byte === 45 || byte === 46

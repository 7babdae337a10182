import { isRawNumber, parseExactly } from '@svc/schema'

/**
 * The first number in a JSON text whose digits no metadata keeps: the engine refuses it, and JavaScript would send
 * another one. Throws SyntaxError for what is no JSON.
 */
export const lostDigitsInText = (text: string): string | null =>
  firstOf(parseExactly(text), (part) => (isRawNumber(part) ? part.rawJSON : null))

/** The same in a value whose numbers are doubles: of a whole number beyond 2^53 nobody knows which one was written. */
export const lostDigitsInValue = (value: unknown): string | null =>
  firstOf(value, (part) =>
    typeof part === 'number' && Math.abs(part) > Number.MAX_SAFE_INTEGER ? written(part) : null,
  )

const written = (number: number): string => (Number.isFinite(number) ? BigInt(number).toString() : String(number))

/** What to do about it; the text means the same number to the database. */
export const lostDigits = (number: string): string =>
  `holds the number ${number}, whose digits cannot all be kept: give it as text, "${number}"`

function firstOf(value: unknown, lost: (part: unknown) => string | null): string | null {
  const found = lost(value)
  if (found !== null) return found
  if (typeof value !== 'object' || value === null) return null
  for (const part of Object.values(value)) {
    const below = firstOf(part, lost)
    if (below !== null) return below
  }
  return null
}

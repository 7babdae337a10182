import { keepsDigits, significantDigits } from '@svc/schema'

/**
 * The first number in a JSON text whose digits no metadata keeps: the engine refuses it, and JavaScript would send
 * another one. By its text, since Node 20 does not know JSON.rawJSON. Of what is no JSON the answer says nothing.
 */
export function lostDigitsInText(text: string): string | null {
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g))
    if (!token.startsWith('"') && !keepsDigits(token)) return token
  return null
}

/**
 * The same in a value whose numbers are doubles: of one with more digits than a double holds for sure nobody knows which
 * was written. 3e21 is what somebody wrote.
 */
export function lostDigitsInValue(value: unknown): string | null {
  if (typeof value === 'number')
    return Math.abs(value) > Number.MAX_SAFE_INTEGER && significantDigits(value) > 15 ? written(value) : null
  if (typeof value !== 'object' || value === null) return null
  for (const part of Object.values(value)) {
    const lost = lostDigitsInValue(part)
    if (lost !== null) return lost
  }
  return null
}

const written = (number: number): string => (Number.isFinite(number) ? BigInt(number).toString() : String(number))

/** What to do about it; the text means the same number to the database. */
export const lostDigits = (number: string): string =>
  `holds the number ${number}, whose digits cannot all be kept: give it as text, "${number}"`

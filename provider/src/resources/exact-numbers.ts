import { isRawNumber, type Json, significantDigits } from '@svc/schema'

/** Whether a number in it has more digits than a double keeps. */
export function holdsLongNumber(json: Json): boolean {
  if (typeof json !== 'object' || json === null) return false
  return isRawNumber(json) || Object.values(json).some(holdsLongNumber)
}

/** The same with texts in place of such numbers: what a tool of doubles shows of a value that may be a text itself. */
export function withDigitsAsTexts(json: Json): Json {
  if (typeof json !== 'object' || json === null) return json
  if (isRawNumber(json)) return json.rawJSON
  if (Array.isArray(json)) return json.map(withDigitsAsTexts)
  return Object.fromEntries(Object.entries(json).map(([key, part]) => [key, withDigitsAsTexts(part)]))
}

/** A value as a tool of doubles has it: its text where doubles cannot represent its numbers, or texts of only these. */
export function forDoubles(json: Json, isText: boolean): Json {
  if (!holdsLongNumber(json)) return json
  return isText ? withDigitsAsTexts(json) : JSON.stringify(json)
}

/**
 * The first number in a value of doubles whose digits are unknown: of one with more digits than a double holds for sure
 * it is not known which was written. 3e21 is what another client wrote.
 */
export function lostDigitsInValue(value: unknown): string | null {
  if (typeof value === 'number')
    return Math.abs(value) > Number.MAX_SAFE_INTEGER && significantDigits(value) > 15 ? written(value) : null
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return null
  for (const part of Object.values(value)) {
    const lost = lostDigitsInValue(part)
    if (lost !== null) return lost
  }
  return null
}

const written = (number: number): string => (Number.isFinite(number) ? BigInt(number).toString() : String(number))

/** What to do about it: the number as text means the same to the database, the text of all the JSON to the engine. */
export const lostDigits = (number: string, isText: boolean): string =>
  `holds the number ${number}, whose digits this tool does not carry: give it as text, "…"${
    isText ? '' : ', or the whole value as text of JSON'
  }`

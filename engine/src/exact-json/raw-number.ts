/** A JSON number with more digits than JavaScript holds, kept as they were written: `JSON.rawJSON`'s object. */
export interface RawNumber {
  readonly rawJSON: string
}

declare global {
  // the type library of ES2024 lacks these three
  interface JSON {
    rawJSON(text: string): RawNumber
    isRawJSON(value: unknown): value is RawNumber
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
  }
}

export const isRawNumber = (value: unknown): value is RawNumber =>
  typeof value === 'object' && value !== null && JSON.isRawJSON(value)

/** The number, or its digits where JavaScript would lose some. */
export function exactNumber(digits: string): number | RawNumber {
  const number = Number(digits)
  if (String(number) === digits) return number
  return Number.isFinite(number) && digits.replaceAll(/\D/g, '').length < 16 ? number : JSON.rawJSON(digits)
}

/**
 * Numbers too long for JavaScript as a column of a database takes them: whole ones as bigint, others as text. Where no
 * number belongs they become what JavaScript makes of them, so coercion refuses them like any number.
 */
export function unwrapNumbers(json: unknown, numeric: boolean): unknown {
  if (Array.isArray(json))
    return json.some((entry) => typeof entry === 'object') ? json.map((entry) => unwrapNumbers(entry, numeric)) : json
  if (!isRawNumber(json)) return json
  if (!numeric) return Number(json.rawJSON)
  return /^-?\d{1,200}$/.test(json.rawJSON) ? BigInt(json.rawJSON) : json.rawJSON
}

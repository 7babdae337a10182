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
  return keepsDigits(digits) ? Number(digits) : JSON.rawJSON(digits)
}

/** Whether JavaScript's number is the one that was written. */
export function keepsDigits(digits: string): boolean {
  const number = Number(digits)
  if (String(number) === digits) return true
  return Number.isFinite(number) && digits.replaceAll(/\D/g, '').length < 16
}

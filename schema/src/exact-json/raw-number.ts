import { withoutTrailingZeros } from './trailing-zeros.ts'

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
  // nearly all of them, in a third of the time
  if (isShortInteger.test(digits)) return true
  const number = Number(digits)
  if (String(number) === digits) return true
  if (!Number.isFinite(number)) return false
  // YAML has hexadecimal and octal numbers too
  return isDecimal.test(digits) ? sameValue(decimal(digits), decimal(String(number))) : Number.isSafeInteger(number)
}

/** How many digits a number takes, zeros at its ends left out: JavaScript keeps any 15. */
export const significantDigits = (number: number): number => decimal(String(number)).digits.length

const isShortInteger = /^-?\d{1,15}$/
const isDecimal = /^[-+]?(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/

interface Decimal {
  readonly digits: string
  /** Of ten, for the last of the digits. */
  readonly exponent: number
}

const sameValue = (a: Decimal, b: Decimal): boolean => a.digits === b.digits && a.exponent === b.exponent

/** `-3e21`, `-3000000000000000000000` and `-3.0e+21` are one: sign left out, zeros at both ends as well. */
function decimal(text: string): Decimal {
  const [, whole = '', fraction = '', exponent = '0'] = isDecimal.exec(text) ?? []
  const all = `${whole}${fraction}`.replace(/^0+/, '')
  const digits = withoutTrailingZeros(all)
  if (digits === '') return { digits, exponent: 0 }
  return { digits, exponent: Number(exponent) - fraction.length + (all.length - digits.length) }
}

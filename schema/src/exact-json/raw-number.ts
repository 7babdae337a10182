import { installRawJson } from './raw-json.ts'
import { withoutTrailingZeros } from './trailing-zeros.ts'

installRawJson(JSON)

/** A JSON number with more digits than JavaScript represents, as they were written: `JSON.rawJSON`'s object. */
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
  // most objects are none, and calling JSON takes longer
  typeof value === 'object' && value !== null && 'rawJSON' in value && JSON.isRawJSON(value)

/** The number, or its digits where JavaScript would lose some. */
export function exactNumber(digits: string): number | RawNumber {
  return keepsDigits(digits) ? Number(digits) : JSON.rawJSON(digits)
}

/** The same of decimals as YAML writes them, which JSON does not allow all: `+1`, `.5`, `007`. */
export const exactDecimal = (digits: string): number | RawNumber =>
  keepsDigits(digits) ? Number(digits) : JSON.rawJSON(canonicalText(digits))

/**
 * The one spelling of all that mean the same number: digits where at most 21 zeros would have to be written for it, else
 * a power of ten. `9007199254740993.0` and `9.007199254740993e15` are `9007199254740993`.
 */
export function canonicalNumber(number: RawNumber): RawNumber {
  const text = canonicalText(number.rawJSON)
  return text === number.rawJSON ? number : JSON.rawJSON(text)
}

function canonicalText(text: string): string {
  const { digits, exponent } = decimal(text)
  const sign = text.startsWith('-') ? '-' : ''
  const point = digits.length + exponent
  if (exponent >= 0 && exponent <= mostZeros) return `${sign}${digits}${'0'.repeat(exponent)}`
  if (exponent < 0 && point > 0) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
  if (exponent < 0 && point > -mostZeros) return `${sign}0.${'0'.repeat(-point)}${digits}`
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
  return `${sign}${digits.slice(0, 1)}${fraction}e${point > 0 ? '+' : ''}${point - 1}`
}

const mostZeros = 21

/**
 * Whether a database can store it: PostgreSQL's numeric, which jsonb is made of, ends at 131,072 digits before the point and 16,383
 * behind it.
 */
export function isInRange({ rawJSON }: RawNumber): boolean {
  const { digits, exponent } = decimal(rawJSON)
  return digits.length + exponent <= 131_072 && -exponent <= 16_383
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

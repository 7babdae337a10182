import { isRawNumber, type RawNumber, withoutTrailingZeros } from '@svc/schema'

/** A number of JSON, one that JavaScript would cut as it was written. */
export type JsonNumber = number | bigint | RawNumber

export const isNumber = (json: unknown): json is JsonNumber =>
  typeof json === 'number' || typeof json === 'bigint' || isRawNumber(json)

export const numberText = (json: JsonNumber): string => (isRawNumber(json) ? json.rawJSON : String(json))

/** The whole number that it is (`1.0` and `1e2` are), or null where it is none or has more than 40 digits. */
export function wholeNumber(json: JsonNumber): bigint | null {
  if (typeof json === 'bigint') return json
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = written.exec(json.rawJSON) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = withoutTrailingZeros(digits)
  if (significant === '') return 0n
  const zeros = Number(exponent) - fraction.length + digits.length - significant.length
  if (zeros < 0 || significant.length + zeros > 40) return null
  return BigInt(`${sign}${significant}${'0'.repeat(zeros)}`)
}

const written = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

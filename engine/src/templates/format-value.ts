import type { RawNumber } from '../exact-json/index.ts'
import { finish, type LongWork } from '../long-work.ts'
import { defaultLimits, Fuel, type TemplateLimits } from './fuel.ts'
import { type TemplateError, TemplateFailure } from './template-error.ts'
import { isList, isNumeric, type TemplateValue } from './value.ts'

/** A value inside a string: texts as they are, other values as compact JSON with the numbers of `formatNumber`. */
export function* formatValue(value: TemplateValue, fuel: Fuel): LongWork<string> {
  const text =
    typeof value === 'string'
      ? value
      : isNumeric(value)
        ? formatNumber(value)
        : yield* formatJson(value, fuel, formatNumber)
  fuel.characters(text.length)
  return text
}

export type Formatted =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly error: TemplateError }

/** JSON with all digits; a Limit Error where it would be larger than the limits. */
export const formatValueAsJson = (value: TemplateValue, limits: TemplateLimits = defaultLimits): Formatted =>
  finish(formatInPieces(value, limits))

/** The same in pieces. */
export function* formatInPieces(value: TemplateValue, limits: TemplateLimits = defaultLimits): LongWork<Formatted> {
  try {
    return { kind: 'text', text: yield* formatJson(value, new Fuel(limits), plainNumber) }
  } catch (error) {
    if (error instanceof TemplateFailure) return { kind: 'error', error: error.toError() }
    throw error
  }
}

/**
 * Integers with all their digits; other numbers below 0.1 and from 10^7 on as `1.0e-2`
 * (reference/transforms#the-template-language).
 */
function formatNumber(value: number | RawNumber): string {
  if (typeof value !== 'number') return value.rawJSON
  if (Number.isInteger(value)) return Math.abs(value) < 1e15 ? String(value) : String(BigInt(value))
  const size = Math.abs(value)
  if (size >= 0.1 && size < 1e7) return String(value)
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  return `${digits.includes('.') ? digits : `${digits}.0`}e${Number(exponent)}`
}

const plainNumber = (value: number | RawNumber) => (typeof value === 'number' ? JSON.stringify(value) : value.rawJSON)

/** Own, since a value whose parts are shared can be far larger as text than it is in memory. */
function* formatJson(
  value: TemplateValue,
  fuel: Fuel,
  number: (value: number | RawNumber) => string,
  depth = 0,
): LongWork<string> {
  fuel.step()
  if (fuel.isPieceDone) yield fuel.pieceDone()
  fuel.depth(depth)
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') {
    fuel.characters(value.length + 2)
    return JSON.stringify(value)
  }
  if (isNumeric(value)) return number(value)
  const entries: string[] = []
  if (isList(value)) for (const part of value) entries.push(yield* formatJson(part, fuel, number, depth + 1))
  else
    for (const [key, part] of Object.entries(value))
      entries.push(`${JSON.stringify(key)}:${yield* formatJson(part, fuel, number, depth + 1)}`)
  fuel.characters(entries.length + 2)
  return isList(value) ? `[${entries.join(',')}]` : `{${entries.join(',')}}`
}

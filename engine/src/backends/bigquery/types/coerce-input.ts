import type { Path } from '../../../errors.ts'
import { isNumber, numberText } from '../../../exact-json/index.ts'
import type { DatabaseType } from '../../../ir/index.ts'
import { boundedText, coerceToJsonLists, unexpectedJson } from '../../coerce-json.ts'
import { type Family, familyOf } from './known-types.ts'

/** The bits of whole numbers that are written as numbers, in addition to the sign. */
type Bits = 31 | 63

const coercions = (bits: Bits) => coerceToJsonLists((type, json, path) => coerceOne(type, json, path, bits))

/**
 * Both return JSON of a GraphQL value as the text of a parameter (reference/values#bigquery); of a list, a JSON array
 * of texts. Null is NULL. Throws parse-failed at `path`.
 */
export const { coerceInput, coerceLong } = coercions(31)

/** The same with numbers of 64 bits. */
export const stringNumbers = coercions(63)

function coerceOne(type: DatabaseType, json: unknown, path: Path, bits: Bits): string {
  const family = familyOf(type)
  if (family === 'json') return JSON.stringify(json)
  if (typeof json === 'string') return coerceText(family, json, path)
  if (family === 'geography' && typeof json === 'object') return JSON.stringify(json)
  if (family === 'boolean' && typeof json === 'boolean') return String(json)
  if (isNumber(json) && family === 'integer') return wholeText(numberText(json), bits, path)
  if (isNumber(json) && (family === 'float' || family === 'decimal')) return numberText(json)
  throw unexpectedJson(expected[family], json, path)
}

/** A number may be a text too: that is how answers and the keys of joins have them, with all their digits. */
function coerceText(family: Family, text: string, path: Path): string {
  switch (family) {
    case 'integer':
      return wholeText(text, 63, path)
    case 'decimal':
      if (!decimal.test(text)) throw unexpectedJson('Number', text, path)
      return text
    case 'float':
      if (!decimal.test(text) && !notFinite.test(text)) throw unexpectedJson('Number', text, path)
      return text
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw unexpectedJson('Bool', text, path)
      return text
    case 'text':
    case 'geography':
    case 'json':
      return text
  }
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const notFinite = /^([+-]?inf(inity)?|nan)$/i
/** Whole although written with a fraction. */
const whole = /^[+-]?\d+(\.0+)?$/

const wholeText = (text: string, bits: Bits, path: Path): string => boundedText(wholeNumber(text), bits, text, path)

function wholeNumber(text: string): bigint | null {
  if (text.length > 100) return null
  if (whole.test(text)) return BigInt(text.replace(/^\+|\.0+$/g, ''))
  // 1e2
  return decimal.test(text) && /e/i.test(text) && Number.isSafeInteger(Number(text)) ? BigInt(Number(text)) : null
}

const expected: Readonly<Record<Family, string>> = {
  integer: 'Number',
  float: 'Number',
  decimal: 'Number',
  boolean: 'Bool',
  text: 'String',
  geography: 'String',
  json: 'Object',
}

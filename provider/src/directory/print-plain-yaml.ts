import { isRawNumber, type Json } from '@svc/schema'

/** How a text or a number is written where it is not plain; null: it may be written otherwise in another place. */
export type PrintScalar = (value: string | number) => string | null

/**
 * Block YAML, indented by 2, as the `yaml` library writes it, many times as fast: metadata of 5,000 tables is a million
 * lines. Null where a value needs more than that: texts of several lines, odd keys, long numbers.
 */
export function printPlainYaml(json: Json, printScalar: PrintScalar): string | null {
  if (typeof json !== 'object' || json === null) return null
  const printed = block(json, '', printScalar)
  return printed === null ? null : `${isEmpty(json) ? printed : printed.slice(1)}\n`
}

/** What stands behind `key:` or `-`: a space and a scalar, or lines that each begin with a line feed. */
function block(json: Json, indent: string, printScalar: PrintScalar): string | null {
  if (typeof json !== 'object' || json === null) return scalar(json, printScalar)
  if (isRawNumber(json)) return null
  if (Array.isArray(json)) return json.length === 0 ? '[]' : list(json, indent, printScalar)
  return isEmpty(json) ? '{}' : map(json as Readonly<Record<string, Json>>, indent, printScalar)
}

function list(items: readonly Json[], indent: string, printScalar: PrintScalar): string | null {
  const inside = `${indent}  `
  let text = ''
  for (const item of items) {
    const printed = block(item ?? null, inside, printScalar)
    if (printed === null) return null
    // the first line of what is nested stands behind the dash
    text += `\n${indent}- ${printed.startsWith('\n') ? printed.slice(1 + inside.length) : printed}`
  }
  return text
}

function map(json: Readonly<Record<string, Json>>, indent: string, printScalar: PrintScalar): string | null {
  const inside = `${indent}  `
  let text = ''
  for (const key of Object.keys(json)) {
    const value = json[key]
    if (value === undefined) continue
    if (!isPlain(key)) return null
    const printed = block(value, inside, printScalar)
    if (printed === null) return null
    text += `\n${indent}${key}:${printed.startsWith('\n') ? printed : ` ${printed}`}`
  }
  return text
}

function scalar(value: string | number | boolean | null, printScalar: PrintScalar): string | null {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : printScalar(value)
  return isPlain(value) ? value : printScalar(value)
}

const isEmpty = (json: object): boolean => {
  for (const key of Object.keys(json)) if ((json as Record<string, unknown>)[key] !== undefined) return false
  return true
}

/** Texts that stand for themselves in every version of YAML and in every place. */
const isPlain = (text: string): boolean => text.length < 200 && plain.test(text) && !meansMore.test(text)
const plain = /^[A-Za-z_$](?:[\w$./ -]*[\w$./])?$/
const meansMore = /^(?:y|yes|n|no|true|false|on|off|null|nan|inf)$/i

import { isRawNumber, type Json } from '@svc/schema'
import { holdsLongNumber } from '../resources/index.ts'
import { bracketed, fits, type Part } from './bracketed.ts'
import { type Expression, expressionOf } from './expression.ts'
import type { ProjectNames } from './readable-names.ts'

/**
 * An expression as `terraform fmt` would leave it, which begins in the middle of a line of this indentation; null: in one line, with a
 * line break where it is never in one.
 */
export function hclOf(expression: Expression, names: ProjectNames, indent: string | null = ''): string {
  switch (expression.kind) {
    case 'literal':
      return literal(expression.value)
    case 'output':
      return `${names.resource(expression.of)}.${expression.attribute}`
    case 'secret':
      return `var.${names.secret(expression.secret)}`
    case 'json':
      return holdsHugeNumber(expression.value)
        ? quoted(JSON.stringify(expression.value))
        : `jsonencode(${hclOf(expressionOf(expression.value), names, indent)})`
    case 'list':
      return bracketed(
        '[]',
        expression.items.map((item) => (deeper) => hclOf(item, names, deeper)),
        indent,
      )
    case 'object':
    case 'map':
      return braced(
        expression.entries.map(([key, value]) => [keyOf(key), (deeper) => hclOf(value, names, deeper)]),
        indent,
      )
  }
}

/** Terraform keeps 512 bits of a number: those of 150 digits. */
const holdsHugeNumber = (json: Json): boolean =>
  /\d{100}|[eE][+-]?\d{3}|\d\.\d{100}/.test(holdsLongNumber(json) ? JSON.stringify(json) : '')

function braced(parts: readonly (readonly [string, Part])[], indent: string | null): string {
  if (parts.length === 0) return '{}'
  const line = parts.length > 2 ? '\n' : `{ ${parts.map(([key, part]) => `${key} = ${part(null)}`).join(', ')} }`
  if (indent === null || fits(line, indent)) return line
  const deeper = `${indent}  `
  return `{\n${attributeLines(
    parts.map(([key, part]) => [key, part(deeper)]),
    deeper,
  )}${indent}}`
}

/** `name = value` in lines: neighbours of one line each have their signs below each other, longer ones air around them. */
export function attributeLines(entries: readonly (readonly [string, string])[], indent: string): string {
  const groups: { readonly long: boolean; readonly entries: (readonly [string, string])[] }[] = []
  for (const entry of entries) {
    const long = entry[1].includes('\n')
    const last = groups.at(-1)
    if (last && !last.long && !long) last.entries.push(entry)
    else groups.push({ long, entries: [entry] })
  }
  return groups
    .map(({ entries: together }) => {
      const width = Math.max(...together.map(([key]) => [...key].length))
      return together
        .map(([key, value]) => `${indent}${key}${' '.repeat(width - [...key].length)} = ${value}\n`)
        .join('')
    })
    .join('\n')
}

const literal = (value: Extract<Expression, { kind: 'literal' }>['value']): string =>
  typeof value === 'string' ? quoted(value) : isRawNumber(value) ? value.rawJSON : String(value)

const keyOf = (key: string) => (/^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) && !isWord(key) ? key : quoted(key))

/** As a key of an object these would be read as values. */
const isWord = (key: string) => ['true', 'false', 'null', 'for', 'if', 'in'].includes(key)

/** A text in which nothing is a template. */
export const quoted = (text: string): string =>
  `"${text
    .replace(/[\\"]/g, (character) => `\\${character}`)
    .replace(/([$%])(?=\{)/g, '$1$1')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replace(/\p{Cc}|[\u2028\u2029]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`

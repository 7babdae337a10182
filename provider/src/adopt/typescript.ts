import { isRecord, type Json } from '@svc/schema'
import { pulumiName } from '../pulumi/index.ts'
import { forDoubles } from '../resources/index.ts'
import type { Expression } from './expression.ts'
import type { PulumiNames } from './pulumi-names.ts'

const WIDTH = 110

/** An expression of a TypeScript program, which begins in the middle of a line of this indentation. */
export function typescriptOf(expression: Expression, names: PulumiNames, indent = ''): string {
  switch (expression.kind) {
    case 'literal':
      return literal(expression.value)
    case 'output':
      return `${names.resource(expression.of)}.${pulumiName(expression.attribute)}`
    case 'secret': {
      const { of, path, shape } = expression.secret
      return `config.requireSecret${shape === 'text' ? '' : 'Object'}(${literal(names.secret(of, path))})`
    }
    case 'json':
      return jsonOf(forDoubles(expression.value, expression.isText), indent)
    case 'list':
      return bracketed(
        '[]',
        expression.items.map((item) => (deeper) => typescriptOf(item, names, deeper)),
        indent,
      )
    case 'object':
    case 'map': {
      const name = expression.kind === 'object' ? pulumiName : (key: string) => key
      return bracketed(
        '{}',
        expression.entries.map(
          ([key, value]) =>
            (deeper) =>
              `${keyOf(name(key))}: ${typescriptOf(value, names, deeper)}`,
        ),
        indent,
      )
    }
  }
}

function jsonOf(json: Json, indent: string): string {
  if (Array.isArray(json))
    return bracketed(
      '[]',
      (json as readonly Json[]).map((item) => (deeper) => jsonOf(item, deeper)),
      indent,
    )
  if (!isRecord(json)) return literal(json as string | number | boolean | null)
  return bracketed(
    '{}',
    Object.entries(json).map(
      ([key, value]) =>
        (deeper) =>
          `${keyOf(key)}: ${jsonOf(value, deeper)}`,
    ),
    indent,
  )
}

/** Returns a part's text for the indentation of the line it begins in. */
type Part = (indent: string) => string

/** In one line where it fits. */
export function bracketed(brackets: '[]' | '{}', parts: readonly Part[], indent: string): string {
  const [open = '', close = ''] = brackets
  if (parts.length === 0) return brackets
  const air = brackets === '{}' ? ' ' : ''
  const line = `${open}${air}${parts.map((part) => part('')).join(', ')}${air}${close}`
  if (!line.includes('\n') && indent.length + line.length <= WIDTH) return line
  const deeper = `${indent}  `
  return `${open}\n${parts.map((part) => `${deeper}${part(deeper)},\n`).join('')}${indent}${close}`
}

const literal = (value: string | number | boolean | null): string =>
  typeof value === 'string' ? quoted(value) : String(value)

/** `__proto__: …` would set the prototype. */
const keyOf = (key: string) =>
  key === '__proto__' ? `['__proto__']` : /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key)

export const quoted = (text: string): string =>
  text.includes("'") ? JSON.stringify(text) : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}'`

import { pulumiName } from '../pulumi/index.ts'
import { forDoubles } from '../resources/index.ts'
import { bracketed } from './bracketed.ts'
import { type Expression, expressionOf } from './expression.ts'
import type { ProjectNames } from './readable-names.ts'

/** An expression of a TypeScript program, which begins in the middle of a line of this indentation; null: in one line. */
export function typescriptOf(expression: Expression, names: ProjectNames, indent: string | null = ''): string {
  switch (expression.kind) {
    case 'literal':
      return literal(expression.value)
    case 'output':
      return `${names.resource(expression.of)}.${pulumiName(expression.attribute)}`
    case 'secret': {
      const isText = expression.secret.shape === 'text'
      return `config.requireSecret${isText ? '' : 'Object'}(${literal(names.secret(expression.secret))})`
    }
    case 'json':
      return typescriptOf(expressionOf(forDoubles(expression.value, expression.isText)), names, indent)
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

const literal = (value: Extract<Expression, { kind: 'literal' }>['value']): string =>
  typeof value === 'string' ? quoted(value) : String(value)

/** `__proto__: …` would set the prototype. */
const keyOf = (key: string) =>
  key === '__proto__' ? `['__proto__']` : /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key)

export const quoted = (text: string): string =>
  text.includes("'") ? JSON.stringify(text) : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}'`

import { finish, type LongWork } from '../long-work.ts'
import { evaluate } from './evaluate.ts'
import { defaultLimits, Fuel, type TemplateLimits } from './fuel.ts'
import type { TemplateFunction } from './functions.ts'
import { lex } from './lex.ts'
import { parse } from './parse.ts'
import type { Expression } from './syntax-tree.ts'
import { type TemplateError, TemplateFailure } from './template-error.ts'
import type { TemplateValue } from './value.ts'

/** A parsed template; evaluated as often as wanted. */
export interface Template {
  readonly expression: Expression
}

export type Parsed =
  | { readonly kind: 'template'; readonly template: Template }
  | { readonly kind: 'error'; readonly error: TemplateError }

export type Evaluated =
  | { readonly kind: 'value'; readonly value: TemplateValue }
  | { readonly kind: 'error'; readonly error: TemplateError }

/** Variables by their whole name, `$body` say, and functions in addition to the language's own. */
export interface Bindings {
  readonly variables: ReadonlyMap<string, TemplateValue>
  readonly functions: ReadonlyMap<string, TemplateFunction>
}

/** A template that yields JSON (reference/transforms#the-template-language). */
export function parseTemplate(text: string): Parsed {
  try {
    return { kind: 'template', template: { expression: parse(lex(text)) } }
  } catch (error) {
    return { kind: 'error', error: errorOf(error) }
  }
}

/** A template that is the inside of a string: quotes outside `{{ }}` have to be escaped. */
export const parseStringTemplate = (text: string): Parsed => parseTemplate(`"${text}"`)

/** The template's value. What is not foreseen (a limit among it) is an error, never an exception. */
export const evaluateTemplate = (
  template: Template,
  bindings: Bindings,
  limits: TemplateLimits = defaultLimits,
): Evaluated => finish(evaluateInPieces(template, bindings, limits))

/** Evaluates a template in pieces, for templates over what clients send: 1,000,000 steps take 0.2 s and more. */
export function* evaluateInPieces(
  template: Template,
  bindings: Bindings,
  limits: TemplateLimits = defaultLimits,
): LongWork<Evaluated> {
  const scope = { find: (name: string) => bindings.variables.get(name) }
  try {
    const value = yield* evaluate(template.expression, scope, { functions: bindings.functions, fuel: new Fuel(limits) })
    return { kind: 'value', value }
  } catch (error) {
    return { kind: 'error', error: errorOf(error) }
  }
}

function errorOf(error: unknown): TemplateError {
  if (error instanceof TemplateFailure) return error.toError()
  throw error
}

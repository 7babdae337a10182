import type { LongWork } from '../long-work.ts'
import {
  type Bindings,
  evaluateInPieces,
  formatInPieces,
  type Parsed,
  parseStringTemplate,
  parseTemplate,
  type Template,
  type TemplateValue,
} from '../templates/index.ts'
import { writeQuery } from './query-string.ts'
import { eachOf, failed, type Outcome, succeeded, together } from './transform-error.ts'

/** What is sent, or what becomes of a response. */
export type RequestBody =
  /** `text` is `value` as JSON. */
  | { readonly kind: 'json'; readonly value: TemplateValue; readonly text: string }
  | { readonly kind: 'form'; readonly text: string }
  | { readonly kind: 'none' }

export type CompiledBody =
  | { readonly kind: 'template'; readonly template: Template }
  | { readonly kind: 'form'; readonly entries: readonly (readonly [string, Template])[] }
  | { readonly kind: 'remove' }

/** Version 1: a template's text; version 2: what to do (reference/transforms#request-transforms). */
export type DeclaredBody =
  | string
  | {
      readonly action: 'remove' | 'transform' | 'x_www_form_urlencoded'
      readonly template?: string
      readonly form_template?: Readonly<Record<string, string>>
    }

export function compileBody(body: DeclaredBody): Outcome<CompiledBody> {
  if (typeof body === 'string') return compileTemplateBody(body)
  switch (body.action) {
    case 'remove':
      return succeeded({ kind: 'remove' })
    case 'transform':
      if (body.template !== undefined) return compileTemplateBody(body.template)
      return failed({ error_code: 'TransformationError', message: 'key "template" not found' })
    case 'x_www_form_urlencoded':
      if (body.form_template !== undefined) return compileForm(body.form_template)
      return failed({ error_code: 'TransformationError', message: 'key "form_template" not found' })
  }
}

export const fromParsed = (parsed: Parsed): Outcome<Template> =>
  parsed.kind === 'error' ? failed(parsed.error) : succeeded(parsed.template)

function compileTemplateBody(text: string): Outcome<CompiledBody> {
  const parsed = fromParsed(parseTemplate(text))
  return parsed.kind === 'errors' ? parsed : succeeded({ kind: 'template', template: parsed.value })
}

function compileForm(form: Readonly<Record<string, string>>): Outcome<CompiledBody> {
  const entries = together(
    Object.entries(form).map(([key, text]): Outcome<readonly [string, Template]> => {
      const parsed = fromParsed(parseStringTemplate(text))
      return parsed.kind === 'errors' ? parsed : succeeded([key, parsed.value])
    }),
  )
  return entries.kind === 'errors' ? entries : succeeded({ kind: 'form', entries: entries.value })
}

export function* transformBody(body: CompiledBody, bindings: Bindings): LongWork<Outcome<RequestBody>> {
  switch (body.kind) {
    case 'remove':
      return succeeded({ kind: 'none' })
    case 'template': {
      const result = yield* evaluateInPieces(body.template, bindings)
      return result.kind === 'error' ? failed(result.error) : yield* jsonBody(result.value)
    }
    case 'form': {
      const pairs = yield* eachOf(body.entries, function* ([key, template]): LongWork<
        Outcome<readonly [string, string]>
      > {
        const text = yield* evaluateText(template, bindings)
        return text.kind === 'errors' ? text : succeeded([key, text.value])
      })
      if (pairs.kind === 'errors') return pairs
      return succeeded({ kind: 'form', text: writeQuery(pairs.value.filter(([, value]) => value !== 'null')) })
    }
  }
}

export function* jsonBody(value: TemplateValue): LongWork<Outcome<RequestBody>> {
  const formatted = yield* formatInPieces(value)
  return formatted.kind === 'error' ? failed(formatted.error) : succeeded({ kind: 'json', value, text: formatted.text })
}

/** A string template's text. */
export function* evaluateText(template: Template, bindings: Bindings): LongWork<Outcome<string>> {
  const result = yield* evaluateInPieces(template, bindings)
  if (result.kind === 'error') return failed(result.error)
  return succeeded(typeof result.value === 'string' ? result.value : '')
}

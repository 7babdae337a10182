import type { RequestTransform, ResponseTransform } from '@svc/schema'
import { parseStringTemplate, type Template } from '../templates/index.ts'
import { type CompiledBody, compileBody, type DeclaredBody, fromParsed } from './transform-body.ts'
import { errorsOf, type Outcome, succeeded, type TransformError, together } from './transform-error.ts'

export interface CompiledRequestTransform {
  readonly method: string | null
  readonly url: Template | null
  readonly query:
    | { readonly kind: 'text'; readonly template: Template }
    | { readonly kind: 'pairs'; readonly pairs: readonly (readonly [Template, Template | null])[] }
    | null
  readonly removeHeaders: ReadonlySet<string>
  readonly addHeaders: readonly (readonly [string, Template])[]
  readonly body: CompiledBody | null
}

export interface CompiledResponseTransform {
  readonly body: CompiledBody | null
}

export type Compiled<T> =
  | { readonly kind: 'transform'; readonly transform: T }
  /** All templates that do not parse. */
  | { readonly kind: 'errors'; readonly errors: readonly TransformError[] }

/** Parses every template of a transform (reference/transforms#trying-a-transform). */
export function compileRequestTransform(declared: RequestTransform): Compiled<CompiledRequestTransform> {
  const url = declared.url === undefined ? succeeded(null) : fromParsed(parseStringTemplate(declared.url))
  const query = compileQuery(declared.query_params)
  const headers = pairsOf(Object.entries(declared.request_headers?.add_headers ?? {}), (name) => succeeded(name))
  const body = declared.body === undefined ? succeeded(null) : compileBody(declared.body as DeclaredBody)
  if (url.kind === 'errors' || query.kind === 'errors' || headers.kind === 'errors' || body.kind === 'errors')
    return { kind: 'errors', errors: [body, url, query, headers].flatMap(errorsOf) }
  return {
    kind: 'transform',
    transform: {
      method: declared.method ?? null,
      url: url.value,
      query: query.value,
      removeHeaders: new Set((declared.request_headers?.remove_headers ?? []).map((name) => name.toLowerCase())),
      addHeaders: headers.value,
      body: body.value,
    },
  }
}

export function compileResponseTransform(declared: ResponseTransform): Compiled<CompiledResponseTransform> {
  const body = declared.body === undefined ? succeeded(null) : compileBody(declared.body as DeclaredBody)
  return body.kind === 'errors' ? body : { kind: 'transform', transform: { body: body.value } }
}

function compileQuery(declared: RequestTransform['query_params']): Outcome<CompiledRequestTransform['query']> {
  if (declared === undefined) return succeeded(null)
  if (typeof declared !== 'object' || declared === null) {
    const template = fromParsed(parseStringTemplate(String(declared)))
    return template.kind === 'errors' ? template : succeeded({ kind: 'text', template: template.value })
  }
  const given = Object.entries(declared)
  const pairs = together(
    given.map(([key, value]): Outcome<readonly [Template, Template | null]> => {
      const name = fromParsed(parseStringTemplate(key))
      const text = value === null ? succeeded(null) : fromParsed(parseStringTemplate(textOf(value)))
      if (name.kind === 'errors' || text.kind === 'errors')
        return { kind: 'errors', errors: [...errorsOf(name), ...errorsOf(text)] }
      return succeeded([name.value, text.value])
    }),
  )
  return pairs.kind === 'errors' ? pairs : succeeded({ kind: 'pairs', pairs: pairs.value })
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function pairsOf<K>(
  entries: readonly (readonly [string, string])[],
  key: (name: string) => Outcome<K>,
): Outcome<readonly (readonly [K, Template])[]> {
  return together(
    entries.map(([name, text]): Outcome<readonly [K, Template]> => {
      const [left, right] = [key(name), fromParsed(parseStringTemplate(text))]
      if (left.kind === 'errors') return left
      return right.kind === 'errors' ? right : succeeded([left.value, right.value])
    }),
  )
}

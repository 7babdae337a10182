/**
 * References to environment variables in URLs and headers (reference/actions#webhooks). They are resolved when a
 * request is made or a schema is built, and only the unresolved form is stored or shown.
 */
import type { Environment } from '../config/index.ts'
import type { HttpHeader } from './http-request.ts'

export type { Environment }

/** A resolved text, or the names of the variables that are not set, in order, once each. */
export type ReferenceResult =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'missing'; readonly variables: readonly string[] }

/** A value, or the name of the environment variable that has it. */
export type EnvironmentReference = string | { readonly from_env: string }

export const readEnvironment = (environment: Environment, name: string): string | undefined =>
  Object.hasOwn(environment, name) ? environment[name] : undefined

/** `{{NAME}}` becomes the variable's value. The name is taken verbatim; an unclosed `{{` is unchanged. */
export function expandEnvironment(template: string, environment: Environment): ReferenceResult {
  const missing = new Set<string>()
  let value = ''
  let at = 0
  for (;;) {
    const open = template.indexOf('{{', at)
    const close = open === -1 ? -1 : template.indexOf('}}', open + 2)
    if (close === -1) break
    const name = template.slice(open + 2, close)
    const found = readEnvironment(environment, name)
    if (found === undefined) missing.add(name)
    value += template.slice(at, open) + (found ?? '')
    at = close + 2
  }
  return missing.size > 0
    ? { kind: 'missing', variables: [...missing] }
    : { kind: 'value', value: value + template.slice(at) }
}

/** A header entry of the metadata: exactly one of the two is there. */
export interface HeaderEntry {
  readonly name: string
  readonly value?: string | undefined
  readonly value_from_env?: string | undefined
}

export type ResolvedHeaders =
  | { readonly kind: 'headers'; readonly headers: readonly HttpHeader[] }
  /** `message` is the error's text, code not-found. */
  | { readonly kind: 'missing'; readonly message: string }

/** Headers as they are sent; the first variable that is not set ends it. */
export function resolveHeaders(entries: readonly HeaderEntry[], environment: Environment): ResolvedHeaders {
  const headers: HttpHeader[] = []
  for (const { name, value, value_from_env: variable } of entries) {
    if (variable !== undefined) {
      const found = readEnvironment(environment, variable)
      if (found === undefined) return { kind: 'missing', message: `environment variable '${variable}' not set` }
      headers.push([name, found])
    } else {
      const result = expandEnvironment(value ?? '', environment)
      if (result.kind === 'missing')
        return { kind: 'missing', message: `template cannot be resolved: ${result.variables.join(', ')}` }
      headers.push([name, result.value])
    }
  }
  return { kind: 'headers', headers }
}

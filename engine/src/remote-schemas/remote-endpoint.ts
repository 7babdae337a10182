import type { RemoteSchema } from '@svc/schema'
import { ApiError, Path } from '../errors.ts'
import {
  type Environment,
  expandEnvironment,
  type HttpHeader,
  readEnvironment,
  resolveHeaders,
} from '../http-client/index.ts'

/** Where requests to a remote schema are sent, and how. */
export interface RemoteEndpoint {
  readonly url: string
  /** As metadata names it: in errors, since a resolved URL may hold secrets. */
  readonly shownUrl: string
  readonly headers: readonly HttpHeader[]
  /** Milliseconds. */
  readonly timeout: number
}

/**
 * Throws invalid-params for a URL that is none or needs a variable that is not set
 * (reference/remote-schemas#definition).
 */
export function remoteEndpoint(definition: RemoteSchema['definition'], environment: Environment): RemoteEndpoint {
  const { url, url_from_env: variable, headers = [], timeout_seconds } = definition
  const shownUrl = url ?? variable ?? ''
  const resolved = resolveHeaders(headers, environment)
  if (resolved.kind === 'missing') throw wrong(resolved.message)
  return {
    url: checkedUrl(urlOf(url, variable, environment)),
    shownUrl,
    headers: resolved.headers,
    timeout: timeout_seconds * 1000,
  }
}

const wrong = (message: string) => new ApiError('invalid-params', Path.root, message)

function urlOf(url: string | undefined, variable: string | undefined, environment: Environment): string {
  if (url !== undefined && variable !== undefined) throw wrong("both `url` and `url_from_env` can't be present")
  if (url === undefined) {
    if (variable === undefined) throw wrong("both `url` and `url_from_env` can't be empty")
    const value = readEnvironment(environment, variable)
    if (value === undefined) throw wrong(`environment variable '${variable}' not set`)
    return value
  }
  const expanded = expandEnvironment(url, environment)
  if (expanded.kind === 'missing')
    throw wrong(expanded.variables.map((name) => `environment variable '${name}' not set`).join(', '))
  return expanded.value
}

function checkedUrl(url: string): string {
  const parsed = URL.parse(url)
  if (parsed && (parsed.protocol === 'http:' || parsed.protocol === 'https:')) return url
  throw wrong('not a valid URI')
}

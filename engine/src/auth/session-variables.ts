import { Path } from '../errors.ts'
import { ownPrefix, variableName } from '../session.ts'

/** Headers as node's parser returns them: lower-case names, bytes as latin1. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

const notVariables = new Set(['admin-secret', 'access-key', 'access-token', 'actor', 'draft', 'error-details'])

/** Whether a header, whose name is in lower case, is a session variable. */
export const isVariable = (name: string, prefix: string = ownPrefix): boolean =>
  name.startsWith(prefix) && !notVariables.has(name.slice(prefix.length))

/** Returns the value of a header as one text, or null. Empty counts as absent. */
export function headerText(headers: Headers, name: string): string | null {
  const value = headers[name]
  const text = typeof value === 'string' ? value : value?.join(', ')
  return text === undefined || text === '' ? null : decodeHeader(text)
}

/** Clients send UTF-8; node shows each byte as a character of latin1. */
export function decodeHeader(text: string): string {
  return /[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text
}

/**
 * The headers of a request with the engine's own under `X-Svc-`, whichever prefix they came with: a caller that reads headers
 * knows one name. Throws bad-request where both spellings of one are there and differ.
 */
export function ownHeaders(headers: Headers, prefix: string = ownPrefix): Headers {
  if (prefix === ownPrefix) return headers
  const own: Record<string, Headers[string]> = Object.create(null)
  for (const name in headers) {
    const as = name.startsWith(prefix) ? ownPrefix + name.slice(prefix.length) : name
    if (own[as] !== undefined && String(own[as]) !== String(headers[name]))
      throw Path.root.error('bad-request', `headers "${as}" and "${variableName(as, prefix)}" have different values`)
    own[as] = headers[name]
  }
  return own
}

/** The reverse, for whom headers are forwarded to. */
export const configuredHeader = (name: string, prefix: string = ownPrefix): string => variableName(name, prefix) ?? name

/**
 * Returns all X-Svc-* headers but the secrets, the actor, a draft's key and the details of errors, with the configured
 * prefix; that of the role has the effective one.
 */
export function sessionVariables(
  headers: Headers,
  role: string,
  prefix: string = ownPrefix,
): ReadonlyMap<string, string> {
  const variables = new Map<string, string>()
  for (const name in headers) {
    if (!isVariable(name)) continue
    const value = headers[name]
    if (value !== undefined)
      variables.set(configuredHeader(name, prefix), decodeHeader(typeof value === 'string' ? value : value.join(', ')))
  }
  return variables.set(`${prefix}role`, role)
}

import type { Headers } from '../auth/index.ts'
import type { ClientMessage } from './client-message.ts'

const ofTheHandshake = /^(sec-websocket-.*|upgrade|connection)$/

/**
 * The headers that a connection_init is authenticated by: its own first, then those of the upgrade request
 * (reference/websockets#authentication-of-websockets). Without `cookies` the request's Cookie does not count (§1.8).
 */
export function authenticationHeaders(init: Headers, request: Headers, cookies: boolean): Headers {
  const headers: Record<string, string | readonly string[] | undefined> = Object.create(null)
  for (const [name, value] of Object.entries(request))
    if (!ofTheHandshake.test(name) && (cookies || name !== 'cookie')) headers[name] = value
  return Object.assign(headers, init)
}

/** The headers of an init as those of a request are: the bytes of UTF-8 as characters of latin1. */
export function headersOfInit({ headers }: ClientMessage & { readonly kind: 'init' }): Headers {
  const made: Record<string, string> = Object.create(null)
  for (const [name, value] of headers) made[name] = Buffer.from(value).toString('latin1')
  return made
}

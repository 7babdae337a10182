import type { Protocol } from './protocol.ts'

/** How a socket is closed (RFC 6455 §5.5.1). */
export interface Closing {
  readonly code: number
  readonly reason: string
}

const MOST_BYTES = 123

/** Returns a reason that fits into a close frame, cut between characters. */
export function closing(code: number, reason: string): Closing {
  const bytes = Buffer.from(reason)
  if (bytes.length <= MOST_BYTES) return { code, reason }
  let end = MOST_BYTES
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return { code, reason: bytes.toString('utf8', 0, end) }
}

/** Closes that the server's error explains: `{"server_error_msg":"4400: …"}`. */
export const serverError = (code: number, message: string): Closing =>
  closing(code, JSON.stringify({ server_error_msg: `${code}: ${message}` }))

/** Returns how a socket is closed after a failed authentication (reference/websockets#authentication-of-websockets). */
export const authenticationFailed = (protocol: Protocol, message: string): Closing =>
  protocol === 'legacy'
    ? serverError(4400, `Connection initialization failed: ${message}`)
    : serverError(4403, 'Forbidden')

/** A second connection_init (reference/websockets#authentication-of-websockets). */
export const initRepeated: Closing = serverError(4429, 'Too many initialisation requests')

export const initTimedOut = (protocol: Protocol): Closing =>
  closing(protocol === 'legacy' ? 1011 : 4408, 'Connection initialisation timed out')

export const terminated: Closing = { code: 1000, reason: 'GQL_CONNECTION_TERMINATE received' }
export const restarting: Closing = { code: 1012, reason: 'Server state changed, restarting the server' }
export const shuttingDown: Closing = { code: 1012, reason: 'shutting server down' }

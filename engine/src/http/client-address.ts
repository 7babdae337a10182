import type { Headers } from '../auth/index.ts'

/**
 * Returns the client's address: X-Real-IP or X-Forwarded-For as a proxy sets them, else the socket's (reference/logs).
 */
export function clientAddress(headers: Headers, remoteAddress: string): string {
  const header = headers['x-real-ip'] ?? headers['x-forwarded-for']
  return typeof header === 'string' && header !== '' ? header : remoteAddress
}

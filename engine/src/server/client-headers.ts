import type { Headers } from '../auth/index.ts'
import type { HttpHeader } from '../http-client/index.ts'

/** Returns a request's headers as pairs, each value one line. */
export const clientHeaders = (headers: Headers): readonly HttpHeader[] =>
  Object.entries(headers).flatMap(([name, value]) => {
    const values = typeof value === 'string' ? [value] : (value ?? [])
    return values.map((one): HttpHeader => [name, one])
  })

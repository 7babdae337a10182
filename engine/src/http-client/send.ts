import type { IncomingMessage } from 'node:http'
import type { Got } from 'got'
import { refusedAddressCode } from './addresses.ts'
import type { Agents } from './agents.ts'
import type { FailureKind, HttpHeader } from './http-request.ts'

/** One exchange, without redirects. */
export interface Exchange {
  readonly method: string
  readonly url: URL
  readonly headers: readonly HttpHeader[]
  readonly body: string | Uint8Array | null
  readonly verifyCertificate: boolean
  readonly maxResponseBytes: number
  readonly signal: AbortSignal
}

export type Answer =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: readonly HttpHeader[]; readonly body: Buffer }
  | { readonly kind: 'failed'; readonly failure: FailureKind; readonly message: string; readonly code: string | null }

/** Sends and reads the whole response, at most `maxResponseBytes` of it. Never rejects. */
export function send(got: Got, agents: Agents, exchange: Exchange): Promise<Answer> {
  const { method, url, signal } = exchange
  const body = bodyOf(exchange)
  return new Promise((resolve) => {
    try {
      const stream = got.stream(url, {
        method: method as 'POST',
        headers: headerRecord(exchange.headers),
        ...(body !== null && { body }),
        allowGetBody: true,
        followRedirect: false,
        throwHttpErrors: false,
        retry: { limit: 0 },
        agent: { http: agents.http, https: agents.https },
        https: { rejectUnauthorized: exchange.verifyCertificate },
        signal,
      })
      const chunks: Buffer[] = []
      let size = 0
      let response: IncomingMessage | undefined
      stream.on('response', (received: IncomingMessage) => {
        response = received
      })
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= exchange.maxResponseBytes) return void chunks.push(chunk)
        resolve({
          kind: 'failed',
          failure: 'too-large',
          message: `the response is larger than ${exchange.maxResponseBytes} bytes`,
          code: null,
        })
        stream.destroy()
      })
      stream.on('end', () => {
        if (!response) return resolve(failed(new Error('no response')))
        const headers = pairs(response.rawHeaders)
        resolve({ kind: 'answer', status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks) })
      })
      stream.on('error', (error: Error) => resolve(failed(error)))
      // got waits for whoever writes the body of a method that may have one
      if (body === null) stream.end()
    } catch (error) {
      resolve(failed(error))
    }
  })
}

const bodyOf = ({ method, body }: Exchange) =>
  body === null || body.length === 0 || /^(head|trace)$/i.test(method) ? null : body

/** These are ours to say: they follow from body and connection. */
const ownHeaders = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade'])

function headerRecord(headers: readonly HttpHeader[]): Record<string, string | string[]> {
  const record = new Map<string, string[]>()
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    if (ownHeaders.has(key)) continue
    const values = record.get(key)
    if (values) values.push(value)
    else record.set(key, [value])
  }
  return Object.fromEntries(
    [...record].map(([name, [first = '', ...rest]]) => [name, rest.length === 0 ? first : [first, ...rest]]),
  )
}

function pairs(raw: readonly string[]): HttpHeader[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []))
}

function failed(error: unknown): Answer {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = codeOf(cause) ?? codeOf(error)
  const failure = kindOf(code)
  return { kind: 'failed', failure, message: messageOf(failure, code, cause), code }
}

function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' ? code : null
}

function kindOf(code: string | null): FailureKind {
  if (code === refusedAddressCode) return 'refused-address'
  if (code === null) return 'connection'
  if (/^ERR_(INVALID_(HTTP_TOKEN|CHAR|ARG|PROTOCOL)|UNESCAPED|HTTP_INVALID|GOT_REQUEST_ERROR$)/.test(code))
    return 'invalid-request'
  if (code === 'ERR_INVALID_URL' || code === 'ERR_UNSUPPORTED_PROTOCOL') return 'invalid-url'
  return /^ERR_(TLS|SSL)_|CERT|^UNABLE_TO_|^EPROTO$|SELF_SIGNED|^HOSTNAME_MISMATCH$/.test(code) ? 'tls' : 'connection'
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the host name cannot be resolved',
  EAI_AGAIN: 'the host name cannot be resolved for now',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'connecting took too long',
  EPIPE: 'the connection was closed',
}

function messageOf(failure: FailureKind, code: string | null, error: unknown): string {
  const word = code !== null && Object.hasOwn(words, code) ? words[code] : undefined
  if (word !== undefined) return word
  if (failure === 'refused-address') return 'the address is private, and requests to private addresses are refused'
  if (failure === 'tls') return `TLS failed: ${code}`
  // texts of other errors may show headers or addresses
  return failure === 'invalid-request'
    ? 'a header or the method cannot be sent'
    : `the request failed${code ? `: ${code}` : error instanceof Error ? `: ${error.name}` : ''}`
}

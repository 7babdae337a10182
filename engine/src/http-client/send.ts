import { type ClientRequest, type IncomingMessage, request as sendHttp } from 'node:http'
import { request as sendHttps } from 'node:https'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { takeBytes } from '../reused-bytes.ts'
import { refusedAddressCode } from './addresses.ts'
import type { Agents } from './agents.ts'
import type { FailureKind, HttpHeader } from './http-request.ts'

/** What a client that undoes them may request. */
const knownEncodings = 'gzip, deflate, br'

const decoders = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
  // some send it without the header that the standard requires
  raw: promisify(inflateRaw),
}

/**
 * The body of a response without its Content-Encoding; one that is not known is left as it is. Rejects with the code
 * ERR_BUFFER_TOO_LARGE where it has more than `most` bytes, and with another one where it is not what it says.
 */
async function decoded(body: Buffer, encoding: string | undefined, most: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? ''
  // of a response to HEAD, or one without content
  if (name === '' || body.length === 0) return body
  const limit = { maxOutputLength: Math.max(1, most) }
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return decoders.gzip(body, limit)
    case 'br':
      return decoders.br(body, limit)
    case 'deflate':
      return ((body[0] ?? 0) & 0x0f) === 0x08 ? decoders.deflate(body, limit) : decoders.raw(body, limit)
    default:
      return body
  }
}

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

/**
 * Sends and reads the whole response, at most `maxResponseBytes` of it. Never rejects. Over node's own client: what a
 * general library adds (got: streams, hooks, options) is four fifths of the CPU of a small exchange.
 */
export function send(agents: Agents, exchange: Exchange): Promise<Answer> {
  const { signal } = exchange
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(failed(null))
    let sent: ClientRequest
    try {
      sent = open(agents, exchange)
    } catch (error) {
      return resolve(failed(error))
    }
    const abort = () => sent.destroy(new Error('aborted'))
    const end = (answer: Answer) => {
      signal.removeEventListener('abort', abort)
      resolve(answer)
    }
    signal.addEventListener('abort', abort, { once: true })
    sent.on('error', (error) => end(failed(error)))
    sent.on('response', (response) => {
      read(response, exchange.maxResponseBytes, (answer) => {
        end(answer)
        if (answer.kind === 'failed') sent.destroy()
      })
    })
    // a status that changes protocols is no answer
    sent.on('upgrade', (_, socket) => {
      end(failed(null))
      socket.destroy()
    })
    const body = bodyOf(exchange)
    if (body === null) sent.end()
    else sent.end(body)
  })
}

function open({ http, https }: Agents, exchange: Exchange): ClientRequest {
  const { url, method, verifyCertificate } = exchange
  const headers = headersOf(exchange)
  return url.protocol === 'https:'
    ? sendHttps(url, { method, headers, agent: https, rejectUnauthorized: verifyCertificate })
    : sendHttp(url, { method, headers, agent: http })
}

/** Calls back at least once; the first call counts. */
function read(response: IncomingMessage, most: number, done: (answer: Answer) => void): void {
  const chunks: Buffer[] = []
  let size = 0
  const answer = (body: Buffer): Answer => ({
    kind: 'answer',
    status: response.statusCode ?? 0,
    headers: pairs(response.rawHeaders),
    body,
  })
  response.on('error', (error) => done(failed(error)))
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= most) return void chunks.push(chunk)
    response.destroy()
    done(tooLarge(most))
  })
  response.on('end', () => {
    const body = joined(chunks, size)
    const encoding = response.headers['content-encoding']
    if (encoding === undefined) return done(answer(body))
    decoded(body, encoding, most).then(
      (bytes) => done(answer(bytes)),
      (error) => done(codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(most) : failed(error)),
    )
  })
}

/** In memory that is used again: V8 scans the whole heap more often, the more memory it has to allocate. */
function joined(chunks: readonly Buffer[], size: number): Buffer {
  const [first = nothing] = chunks
  if (chunks.length < 2) return first
  const body = takeBytes(size)
  let at = 0
  for (const chunk of chunks) at += chunk.copy(body, at)
  return body
}

const tooLarge = (most: number): Answer => ({
  kind: 'failed',
  failure: 'too-large',
  message: `the response is larger than ${most} bytes`,
  code: null,
})

const nothing = Buffer.alloc(0)

const bodyOf = ({ method, body }: Exchange) =>
  body === null || body.length === 0 || /^(head|trace)$/i.test(method) ? null : body

/** These are ours to say: they follow from body and connection. */
const ownHeaders = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade'])

function headersOf(exchange: Exchange): Record<string, string | string[]> {
  const record: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of exchange.headers) {
    const key = name.toLowerCase()
    if (ownHeaders.has(key)) continue
    const known = record[key]
    if (known === undefined) record[key] = value
    else if (typeof known === 'string') record[key] = [known, value]
    else known.push(value)
  }
  record['accept-encoding'] ??= knownEncodings
  const body = bodyOf(exchange)
  if (body !== null) record['content-length'] = String(Buffer.byteLength(body))
  else if (/^(post|put|patch)$/i.test(exchange.method)) record['content-length'] = '0'
  return record
}

function pairs(raw: readonly string[]): HttpHeader[] {
  const headers: HttpHeader[] = []
  for (let at = 0; at < raw.length; at += 2) headers.push([raw[at] ?? '', raw[at + 1] ?? ''])
  return headers
}

function failed(error: unknown): Answer {
  const code = codeOf(error)
  const failure = kindOf(code)
  return { kind: 'failed', failure, message: messageOf(failure, code, error), code }
}

function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' ? code : null
}

function kindOf(code: string | null): FailureKind {
  if (code === refusedAddressCode) return 'refused-address'
  if (code === null) return 'connection'
  if (/^ERR_(INVALID_(HTTP_TOKEN|CHAR|ARG|PROTOCOL)|UNESCAPED|HTTP_INVALID)/.test(code)) return 'invalid-request'
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
  if (code?.startsWith('HPE_')) return `the response is no HTTP: ${code}`
  // texts of other errors may show headers or addresses
  return failure === 'invalid-request'
    ? 'a header or the method cannot be sent'
    : `the request failed${code ? `: ${code}` : error instanceof Error ? `: ${error.name}` : ''}`
}

import { type IncomingHttpHeaders, type IncomingMessage, request as plainRequest, type ServerResponse } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Duplex } from 'node:stream'

/** Where requests are forwarded to, and as whom. */
export interface FarEngine {
  /** Without a slash at the end. */
  readonly endpoint: string
  /** The header with the credential. Rejects with a line for people, which contains no secret. */
  credential(): Promise<Readonly<Record<string, string>>>
  /** How it is trusted. */
  readonly tls: { readonly rejectUnauthorized: boolean; readonly ca?: string[] }
}

/** Said from one hop to the next (RFC 9110 §7.6.1). */
const ofOneHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]
/** Of the page's own address: cookies are shared by all ports of it, and the engine knows no such origin. */
const ofThePage = [
  'host',
  'origin',
  'referer',
  'cookie',
  'expect',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
]

function without(headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders {
  const named = String(headers.connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
  const dropped = new Set([...ofOneHop, ...named, ...names])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)))
}

/** Opens the request to the engine with the credential added, which counts over what the page says. */
async function open({ endpoint, credential, tls }: FarEngine, path: string, request: IncomingMessage, more = {}) {
  const headers = { ...without(request.headers, ofThePage), ...more, ...(await credential()) }
  const url = new URL(endpoint + path)
  return url.protocol === 'https:'
    ? secureRequest(url, { method: request.method, headers, ...tls })
    : plainRequest(url, { method: request.method, headers })
}

/** Sends a request on and its answer back, both as they come. An engine that does not answer is a 502 in words. */
export async function forward(
  engine: FarEngine,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const fail = (error: Error) => {
    if (response.headersSent) response.destroy()
    else
      response.writeHead(502, { 'content-type': 'application/json', connection: 'close' }).end(refusal(engine, error))
  }
  try {
    const outgoing = await open(engine, path, request)
    outgoing.once('error', fail)
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, without(answer.headers, ['set-cookie']))
      answer.once('error', fail)
      answer.pipe(response)
    })
    response.once('close', () => outgoing.destroy())
    request.pipe(outgoing)
  } catch (error) {
    fail(error instanceof Error ? error : new Error('there is no credential'))
  }
}

/** In the shape of the engine's own errors. */
const refusal = ({ endpoint }: FarEngine, { message }: Error) =>
  JSON.stringify({ path: '$', error: `${endpoint} does not answer svc console: ${message}`, code: 'unexpected' })

/** Joins a websocket of the page with one of the engine: when one ends, so does the other. */
export async function forwardSocket(
  engine: FarEngine,
  path: string,
  request: IncomingMessage,
  near: Duplex,
  head: Buffer,
): Promise<void> {
  const refuse = (status: string) => near.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  try {
    const outgoing = await open(engine, path, request, { connection: 'Upgrade', upgrade: 'websocket' })
    near.once('close', () => outgoing.destroy())
    outgoing.once('error', () => refuse('502 Bad Gateway'))
    outgoing.once('response', (answer) => {
      refuse(`${answer.statusCode} ${answer.statusMessage}`)
      answer.destroy()
    })
    outgoing.once('upgrade', (answer, far, farHead) => {
      const headers = Object.entries(without(answer.headers, ['set-cookie'])).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      )
      near.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers.join('')}\r\n`,
      )
      near.write(farHead)
      far.write(head)
      far.on('error', () => near.destroy()).once('close', () => near.destroy())
      near.once('close', () => far.destroy())
      near.pipe(far)
      far.pipe(near)
    })
    outgoing.end()
  } catch {
    refuse('502 Bad Gateway')
  }
}

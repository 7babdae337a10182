import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { ConfigError } from './config.ts'
import type { PageFile } from './console-page.ts'
import { type FarEngine, forward, forwardSocket } from './forward.ts'

/** The requests that the page sends to an engine; nothing else is forwarded. */
const forwarded = new Map([
  ['/v1/graphql', 'POST'],
  ['/v1/graphql/explain', 'POST'],
  ['/v1/metadata', 'POST'],
  ['/v1alpha1/config', 'GET'],
])
const withSockets = '/v1/graphql'

const loopback = '127.0.0.1'

export interface ServedConsole {
  /** With the token that opens it: anyone who has this address has the rights of svc. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the page and forwards what it requests, on a port (0: any) that only this machine reaches. The token begins
 * every path, so that no cookie is needed, which all ports of the machine would share. Throws ConfigError where the
 * port cannot be had.
 */
export async function serveConsole(
  page: ReadonlyMap<string, PageFile>,
  engine: FarEngine,
  wantedPort: number,
): Promise<ServedConsole> {
  const token = randomBytes(32).toString('base64url')
  const server = createServer()
  server.listen(wantedPort, loopback)
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new ConfigError(`port ${wantedPort} cannot be had (${code}): give --port another, or none for a free one`)
  })
  const origin = new URL(`http://${loopback}:${(server.address() as AddressInfo).port}`)
  const sockets = new Set<Duplex>()

  /** The path behind the token; null: refused, whatever it is. */
  const allowed = ({ headers, url = '' }: IncomingMessage): string | null => {
    // another name that leads here (DNS rebinding), and pages of other origins
    if (headers.host !== origin.host) return null
    if (headers.origin !== undefined && headers.origin !== origin.origin) return null
    const [, given = '', path = ''] = /^\/([^/?]*)([^?]*)/.exec(url) ?? []
    return isSame(given, token) ? path : null
  }

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = allowed(request)
    if (path === null) return say(response, 403, refused)
    const file = page.get(path.slice(1))
    if (file && (request.method === 'GET' || request.method === 'HEAD')) {
      response.writeHead(200, { ...file.headers, 'content-type': file.contentType, 'content-length': file.body.length })
      response.end(request.method === 'GET' ? file.body : undefined)
    } else if (forwarded.get(path) === request.method) void forward(engine, path, request, response)
    else say(response, 404, 'There is nothing here.')
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const path = allowed(request)
    if (path === withSockets) void forwardSocket(engine, path, request, socket, head)
    else socket.end(`HTTP/1.1 ${path === null ? '403 Forbidden' : '404 Not Found'}\r\nConnection: close\r\n\r\n`)
  })
  return {
    url: `${origin.origin}/${token}/console`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const refused = 'This is the console of someone who runs svc console: open the address that it printed.'

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
  response.end(`${text}\n`)
}

/** Takes as long for every text of a length. */
function isSame(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type Authenticate, type AuthMode, headerText, type SecretMatcher, secretMatcher } from '../auth/index.ts'
import type { ServerConfig } from '../config/index.ts'
import { ApiError, Path } from '../errors.ts'
import type { Metrics } from '../metrics/index.ts'
import { errorReport, type Observer } from '../observe/index.ts'
import { adminRoutes, requireAdmin } from './admin-routes.ts'
import { type Answering, answerRequest } from './answer-request.ts'
import { configAnswer } from './config-answer.ts'
import { consoleRoutes } from './console-routes.ts'
import { createListener } from './create-listener.ts'
import type { ConnectionPolicy, Exchange } from './exchange.ts'
import { graphqlRoutes } from './graphql-route.ts'
import { isAnswering, nodeExchange } from './node-exchange.ts'
import { operatorRoutes } from './operator-routes.ts'
import { originPolicy } from './origin-policy.ts'
import { plainRoutes } from './plain-routes.ts'
import { restRoutes } from './rest-routes.ts'
import { plain, type Route } from './route.ts'
import { serveSimply } from './serve-simply.ts'
import type { Services } from './services.ts'
import type { SimpleConnection } from './simple-connection.ts'

export interface HttpOptions {
  readonly config: ServerConfig
  readonly version: string
  readonly services: Services
  readonly authMode: AuthMode
  readonly authenticate: Authenticate
  /** Null where they are not enabled. */
  readonly metrics: Pick<Metrics, 'text'> | null
  readonly observer: Observer
}

/** Load balancers keep connections for a minute: the side that gets the next request must not be the one that closes. */
const keepAliveMilliseconds = 65_000

/** A connection that waits to be accepted, and then for its request to be read, takes one turn for each. */
const readingTurns = 4

interface HttpState {
  closing: boolean
  /** What comes behind a request that is not answered yet is not begun any more. */
  stopping: boolean
  /** Requests that are not answered yet. */
  inFlight: number
  /** Those that node's parser does not read. */
  readonly simple: Set<SimpleConnection>
}

class HttpServer {
  readonly url: string
  readonly #server: Server
  readonly #state: HttpState

  constructor(server: Server, state: HttpState, url: string) {
    this.#server = server
    this.#state = state
    this.url = url
  }

  get requestsInFlight(): number {
    return this.#state.inFlight
  }

  /** Hands over the connections of requests for a websocket. */
  onUpgrade(take: (request: IncomingMessage, socket: Socket, head: Buffer) => void): void {
    this.#server.on('upgrade', (request, socket, head) => take(request, socket as Socket, head))
  }

  /** Goes on for that long, while clients and load balancers find another server: /readyz and answers say that it stops. */
  async announceStop(milliseconds: number): Promise<void> {
    this.#state.closing = true
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
  }

  /** Accepts nothing new; resolves when every request is answered, or after that many milliseconds. */
  async drain(milliseconds: number): Promise<void> {
    this.#state.closing = true
    // requests that the system has received already are read in the next turns of the event loop
    for (let turn = 0; turn < readingTurns; turn++) await new Promise((resolve) => setImmediate(resolve))
    this.#state.stopping = true
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeIdleConnections()
    for (const connection of this.#state.simple) connection.endIdle()
    const timer = setTimeout(() => {
      this.#server.closeAllConnections()
      for (const connection of this.#state.simple) connection.end()
    }, milliseconds)
    await closed
    clearTimeout(timer)
  }
}

/** Listens. Rejects with the error of node (EADDRINUSE …) where it cannot. */
export async function listen({
  config,
  version,
  services,
  authMode,
  authenticate,
  metrics,
  observer,
}: HttpOptions): Promise<HttpServer> {
  const state: HttpState = { closing: false, stopping: false, inFlight: 0, simple: new Set() }
  const policy: ConnectionPolicy = {
    closing: () => state.closing,
    keepAliveMilliseconds,
    stallMilliseconds: config.serverTimeout * 1000,
    reportUntaken: (status) =>
      observer.report({ kind: 'connection-refused', reason: 'the client does not take its answer', status }),
  }
  const crashed = (requestId: string, error: unknown) =>
    observer.report({ kind: 'request-crashed', requestId, error: errorReport(error) })
  const routes = [
    ...plainRoutes(services, version, () => !state.closing),
    ...adminRoutes(services, configAnswer(config, authMode, version)),
    ...graphqlRoutes(services, crashed, config),
    ...restRoutes(services, config),
    ...operatorRoutes(services),
    ...consoleRoutes(config),
    ...metricsRoutes(metrics, config.metricsSecret === null ? null : secretMatcher([config.metricsSecret])),
  ].filter(({ api }) => api === null || config.enabledApis.has(api))
  const answering: Answering = {
    routes: Map.groupBy(routes, ({ path }) => path),
    authenticate,
    origins: originPolicy(config),
    audit: (entry, isKept) => services.audit(entry, isKept),
    observer,
    config,
  }
  const serve = async (exchange: Exchange) => {
    state.inFlight += 1
    await answerRequest(exchange, answering)
    state.inFlight -= 1
  }
  const server = createListener(
    config,
    {
      maxHeaderSize: config.maxTotalHeaderLength,
      headersTimeout: config.serverTimeout * 1000,
      requestTimeout: config.serverTimeout * 10_000,
      connectionsCheckingInterval: Math.min(30_000, config.serverTimeout * 500),
      keepAliveTimeout: keepAliveMilliseconds,
      // a client that offers another protocol (h2c, say) is answered as if it had not
      shouldUpgradeCallback: ({ headers }) => /^websocket$/i.test(headers.upgrade ?? ''),
    },
    (request, response) => {
      // the answer before it ends the connection
      if (!state.stopping || !isAnswering(request.socket)) void serve(nodeExchange(request, response, policy))
    },
  )
  const isTls = config.tlsCertFile !== null
  // what TLS costs is more than what is saved so
  if (!isTls)
    serveSimply(server, state.simple, {
      ...policy,
      maxHeadSize: config.maxTotalHeaderLength,
      serve: (exchange) => void serve(exchange),
    })
  server.on('clientError', (error, socket) => refuseConnection(error, socket as Socket, observer))
  const address = await listening(server, config)
  return new HttpServer(server, state, urlOf(address, isTls ? 'https' : 'http'))
}

function listening(server: Server, { serverPort, listenHost }: ServerConfig): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    const host = listenHost === '*' ? undefined : listenHost
    server.listen({ port: serverPort, ...(host !== undefined && { host }) }, () => {
      server.removeListener('error', reject)
      resolve(server.address() as AddressInfo)
    })
  })
}

/** One that a client on this machine can use. */
function urlOf({ address, port }: AddressInfo, scheme: 'http' | 'https'): string {
  const host = address === '::' || address === '0.0.0.0' ? '127.0.0.1' : address
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

const refusals: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions are too large'],
}

/** What is no HTTP, too large or too slow gets an answer of its own, since no request came of it. */
function refuseConnection(error: Error & { code?: string }, socket: Socket, observer: Observer): void {
  const [status, reason] = refusals[error.code ?? ''] ?? [400, 'the request is not HTTP']
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  observer.report({ kind: 'connection-refused', reason, status })
  const body = JSON.stringify({ error: reason, path: '$', code: 'bad-request' })
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nx-request-id: ${randomUUID()}\r\n\r\n${body}`,
  )
}

/** /v1/metrics for Prometheus: with the metrics secret as bearer token where one is set, else for the admin. */
function metricsRoutes(metrics: Pick<Metrics, 'text'> | null, isSecret: SecretMatcher | null): readonly Route[] {
  if (!metrics) return []
  return [
    {
      path: '/v1/metrics',
      method: 'GET',
      api: 'metrics',
      authenticated: isSecret === null,
      errors: 'api',
      answer: async ({ headers, session }) => {
        if (isSecret) checkBearer(headerText(headers, 'authorization'), isSecret)
        else requireAdmin(session)
        const { body, contentType } = await metrics.text()
        return plain([Buffer.from(body)], contentType)
      },
    },
  ]
}

function checkBearer(authorization: string | null, isSecret: SecretMatcher): void {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (token !== undefined && isSecret(token)) return
  throw new ApiError('access-denied', Path.root, 'the metrics secret is needed as bearer token', { status: 401 })
}

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocketServer } from 'ws'
import type { ServerConfig } from '../config/index.ts'
import { ApiError, Path } from '../errors.ts'
import { clientAddress, draftAddress, draftHeader, originPolicy, unexpectedError } from '../http/index.ts'
import { ShortWork } from '../long-work.ts'
import type { Observer } from '../observe/index.ts'
import { type Closing, restarting, shuttingDown } from './close-reason.ts'
import type { ConnectionSettings } from './connection-parts.ts'
import { type Accepted, checkHandshake, refusalBody } from './handshake.ts'
import type { WebsocketServices } from './operation.ts'
import { offeredProtocol } from './protocol.ts'
import { UnsentBytes } from './unsent-bytes.ts'
import { WebsocketConnection } from './websocket-connection.ts'

interface Bounds {
  /** Open sockets in all. */
  readonly most: number
  readonly mostOfAddress: number
}

/** Counts open sockets, in all and by address. */
class SocketBounds {
  readonly #bounds: Bounds
  readonly #byAddress = new Map<string, number>()
  #all = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Whether one more may be opened. Throws ApiError: busy, 503 where there are too many, 429 where of that address. */
  check(address: string): void {
    const { most, mostOfAddress } = this.#bounds
    if (this.#all >= most) throw busy('too many websockets are open (--websocket-max-connections)', 503)
    if ((this.#byAddress.get(address) ?? 0) >= mostOfAddress)
      throw busy('too many websockets of this address are open (--websocket-max-connections-per-address)', 429)
  }

  /** Counts one that is open; the result is called once it is closed. */
  count(address: string): () => void {
    this.#all += 1
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1)
    return () => {
      this.#all -= 1
      const left = (this.#byAddress.get(address) ?? 0) - 1
      if (left > 0) this.#byAddress.set(address, left)
      else this.#byAddress.delete(address)
    }
  }
}

const busy = (message: string, status: number) => new ApiError('busy', Path.root, message, { status })

export interface WebsocketOptions {
  readonly config: ServerConfig
  readonly services: WebsocketServices
  readonly observer: Observer
  /** That serve as one: each has its share of the bounds. */
  readonly processes: number
}

/**
 * All websockets of the server: accepts upgrades and ends them (reference/websockets#handshake,
 * reference/websockets#ends).
 */
export class WebsocketServer {
  readonly #options: WebsocketOptions
  readonly #settings: ConnectionSettings
  readonly #server: WebSocketServer
  readonly #origins: ReturnType<typeof originPolicy>
  readonly #connections = new Set<WebsocketConnection>()
  readonly #bounds: SocketBounds
  readonly #unsent: UnsentBytes
  readonly #starts = new ShortWork()
  #stopping = false
  #emptied: (() => void) | null = null

  constructor(options: WebsocketOptions) {
    const { config } = options
    const share = (bound: number) => Math.ceil(bound / options.processes)
    this.#options = options
    this.#bounds = new SocketBounds({
      most: share(config.websocketMaxConnections),
      mostOfAddress: share(config.websocketMaxConnectionsPerAddress),
    })
    this.#unsent = new UnsentBytes(share(config.websocketMaxUnsentSize))
    this.#origins = originPolicy(config)
    this.#settings = {
      keepAlive: Math.max(1, config.websocketKeepalive) * 1000,
      initTimeout: config.websocketConnectionInitTimeout * 1000,
      stallTimeout: config.serverTimeout * 1000,
      maxValues: config.maxGraphqlValues,
      maxSubscriptions: config.websocketMaxSubscriptions,
    }
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: Math.min(config.websocketMaxMessageSize, config.maxBodySize),
      perMessageDeflate: config.websocketCompression,
      handleProtocols: (offered) => offeredProtocol(offered) ?? false,
    })
  }

  /** Open sockets. */
  get size(): number {
    return this.#connections.size
  }

  /** Of node's server: its event `upgrade`. Never throws. */
  readonly upgrade = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
    socket.on('error', ignore)
    if (this.#stopping) {
      refuse(socket, 503, '', { 'Retry-After': '0' })
      return
    }
    try {
      const { draft, ...accepted } = this.#check(request)
      const address = clientAddress(request.headers, socket.remoteAddress ?? '')
      this.#bounds.check(address)
      this.#server.handleUpgrade(request, socket, head, (made) => {
        socket.off('error', ignore)
        const { services, observer, config } = this.#options
        const headers = draft === null ? request.headers : { ...request.headers, [draftHeader]: draft }
        const connection = new WebsocketConnection({
          ...accepted,
          socket: made,
          connection: socket,
          headers,
          headerPrefix: config.headerPrefix,
          services,
          settings: this.#settings,
          observer,
          unsent: this.#unsent,
          starts: this.#starts,
        })
        this.#connections.add(connection)
        const forget = this.#bounds.count(address)
        made.once('close', () => {
          forget()
          this.#forget(connection)
        })
      })
    } catch (cause) {
      const error = cause instanceof ApiError ? cause : unexpectedError(cause)
      this.#options.observer.report({
        kind: 'websocket',
        websocketId: randomUUID(),
        event: { kind: 'rejected', reason: error.message },
        tokenExpiry: null,
        userVariables: null,
      })
      refuse(socket, error.status, refusalBody(error))
    }
  }

  /** Metadata has changed: clients come again and see what is served now (reference/websockets#ends). */
  restart(): void {
    this.#end(restarting)
  }

  /** Accepts nothing new, ends all sockets; resolves when all are closed, after that many milliseconds at the latest. */
  async stop(milliseconds: number): Promise<void> {
    this.#stopping = true
    const empty = new Promise<void>((resolve) => {
      this.#emptied = resolve
    })
    this.#end(shuttingDown)
    if (this.#connections.size === 0) return
    const timer = setTimeout(() => {
      for (const connection of this.#connections) connection.terminate()
    }, milliseconds)
    await empty
    clearTimeout(timer)
  }

  #check(request: IncomingMessage): Accepted & { readonly draft: string | null } {
    this.#origins.check(request.headers)
    const [target = ''] = (request.url ?? '').replace(/^https?:\/\/[^/?]*/i, '').split('?')
    const { path, draft } = draftAddress(target)
    return { ...checkHandshake(path, request.headers, this.#options.config), draft }
  }

  #end(closing: Closing): void {
    for (const connection of [...this.#connections]) connection.end(closing)
  }

  #forget(connection: WebsocketConnection): void {
    this.#connections.delete(connection)
    if (this.#connections.size === 0) this.#emptied?.()
  }
}

const ignore = () => {}

function refuse(socket: Socket, status: number, body: string, more: Readonly<Record<string, string>> = {}): void {
  const headers = {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    ...more,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${reasons[status] ?? 'Refused'}\r\n${lines.join('')}\r\n${body}`)
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

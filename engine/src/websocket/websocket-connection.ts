import { randomUUID } from 'node:crypto'
import { type Authentication, type Headers, ownHeaders } from '../auth/index.ts'
import { ApiError } from '../errors.ts'
import { draftHeader, requestIdOf, unexpectedError } from '../http/index.ts'
import { errorReport, type WebsocketFacts } from '../observe/index.ts'
import { authenticationHeaders, headersOfInit } from './authentication.ts'
import { boundStrangers } from './bound-strangers.ts'
import { callAt } from './call-at.ts'
import type { ClientMessage } from './client-message.ts'
import { authenticationFailed, type Closing, initTimedOut } from './close-reason.ts'
import type { ConnectionParts } from './connection-parts.ts'
import { frameOf, type ServerEvent } from './frames.ts'
import { type Phase, type Step, stepsFor, stepsForUnread, waitsItsTurn } from './next-step.ts'
import { Outgoing } from './outgoing.ts'
import { type Protocol, protocolOf } from './protocol.ts'
import { type Incoming, readMessages } from './read-messages.ts'
import { SocketOperations } from './socket-operations.ts'

/** Messages that may wait for their turn; a client that sends more is not read meanwhile. */
const MOST_WAITING = 100

/** Milliseconds that an unauthenticated client has to answer a close frame. */
const CLOSED_WITHIN = 1000

/** One socket from its upgrade to its end (reference/websockets). */
export class WebsocketConnection {
  readonly id = randomUUID()
  readonly #parts: ConnectionParts
  readonly #protocol: Protocol
  readonly #outgoing: Outgoing
  #phase: Phase = { kind: 'waiting' }
  #authenticated: Authentication | null = null
  /** Of the latest connection_init. */
  #ownHeaders: Headers = {}
  readonly #waiting: ClientMessage[] = []
  #working = false
  readonly #operations: SocketOperations
  /** It is closed so once what runs is answered. */
  #ending: Closing | null = null
  #ended = false
  readonly #keepAlive: NodeJS.Timeout
  readonly #initTimer: NodeJS.Timeout
  #stopExpiry = () => {}
  #closing = false
  /** A connection_init is under way that is the first to succeed: nothing behind it is read. */
  #authenticating = false
  readonly #acceptAnySize: () => void

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    const { socket, connection, settings } = parts
    this.#protocol = protocolOf(socket.protocol)
    const disconnect = (reason: string) => {
      this.#log({ kind: 'error', message: `${reason}: disconnected` })
      socket.terminate()
    }
    const { unsent } = parts
    this.#outgoing = new Outgoing(socket, connection, {
      stallTimeout: settings.stallTimeout,
      unsent,
      giveUp: disconnect,
    })
    this.#operations = new SocketOperations({
      ...parts,
      protocol: this.#protocol,
      outgoing: this.#outgoing,
      // nothing begins once it is to be closed
      session: () => (this.#closing || this.#ended ? null : (this.#authenticated?.session ?? null)),
      ownHeaders: () => this.#ownHeaders,
      send: (event) => this.#send(event),
      log: (event) => this.#log(event),
      apiError: (cause, requestId) => this.#apiError(cause, requestId),
    })
    this.#acceptAnySize = boundStrangers(socket, connection, () =>
      disconnect('the client sends too much before it is authenticated'),
    )
    readMessages(socket, {
      maxValues: settings.maxValues,
      take: (read) => this.#handle(read),
      isFull: () => this.#isFull(),
    })
    socket.on('error', (error) => this.#log({ kind: 'error', message: error.message }))
    socket.on('close', (code, reason) => this.#closed(code, reason.toString('utf8')))
    this.#log({ kind: 'accepted', protocol: socket.protocol })
    const keepAlive = () => this.#send({ kind: 'keep-alive' })
    this.#keepAlive = setInterval(keepAlive, settings.keepAlive)
    keepAlive()
    this.#initTimer = setTimeout(() => this.#close(initTimedOut(this.#protocol)), settings.initTimeout)
  }

  /** Closes once a query or mutation that runs is answered; subscriptions end at once. */
  end(closing: Closing): void {
    this.#ending ??= closing
    this.#waiting.length = 0
    this.#operations.endSubscriptions()
    if (!this.#working) this.#close(this.#ending)
  }

  /** Breaks it off. */
  terminate(): void {
    this.#parts.socket.terminate()
  }

  #isFull(): boolean {
    return this.#authenticating || this.#waiting.length >= MOST_WAITING || !this.#outgoing.canReceive
  }

  #handle(read: Incoming): void {
    if (this.#closing) return
    if (!read.ok || !waitsItsTurn(read.message)) {
      const steps = read.ok ? this.#stepsFor(read.message) : stepsForUnread(read, this.#protocol)
      for (const step of steps) void this.#take(step)
      if (this.#outgoing.canReceive) return
      // nothing is read from a client that reads no answers
      this.#parts.socket.pause()
      this.#outgoing.caughtUp(() => this.#readOn())
      return
    }
    const { message } = read
    if (this.#ending) return
    this.#waiting.push(message)
    if (message.kind === 'init' && this.#phase.kind === 'waiting') this.#authenticating = true
    if (this.#isFull()) this.#parts.socket.pause()
    void this.#work()
  }

  #readOn(): void {
    const { socket } = this.#parts
    const isBehind = this.#waiting.length >= MOST_WAITING / 2 || !this.#outgoing.canReceive
    if (socket.isPaused && !this.#authenticating && !isBehind) socket.resume()
  }

  #stepsFor(message: ClientMessage): readonly Step[] {
    return stepsFor(message, this.#phase, this.#protocol, (id) => this.#operations.isLive(id))
  }

  /** What waits, one after another; the client has read an answer before it is sent the next. */
  async #work(): Promise<void> {
    if (this.#working) return
    this.#working = true
    for (let message = this.#waiting.shift(); message && !this.#ended; message = this.#waiting.shift()) {
      if (message.kind === 'start') await this.#parts.starts.next()
      for (const step of this.#stepsFor(message)) await this.#take(step)
      if (!this.#outgoing.canReceive) await new Promise<void>((resolve) => this.#outgoing.caughtUp(resolve))
      this.#readOn()
    }
    this.#working = false
    if (this.#ending) this.#close(this.#ending)
  }

  async #take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'send':
        if (step.event.kind === 'refused-early')
          this.#log({
            kind: 'operation',
            operationId: step.event.id,
            type: 'proto_err',
            detail: step.event.error.message,
          })
        this.#send(step.event)
        return
      case 'close':
        this.#close(step.closing)
        return
      case 'authenticate':
        await this.#authenticate(step.headers)
        return
      case 'start':
        await this.#operations.start(step.id, step.payload as Readonly<Record<string, unknown>>)
        return
      case 'stop':
        this.#stop(step.id)
        return
    }
  }

  async #authenticate(own: ReadonlyMap<string, string>): Promise<void> {
    const { services, headers, cookies, headerPrefix } = this.#parts
    let init: Headers
    try {
      init = ownHeaders(headersOfInit({ kind: 'init', headers: own }), headerPrefix)
      const authenticated = await services.authenticate({
        headers: authenticationHeaders(init, ownHeaders(headers, headerPrefix), cookies),
        requestId: requestIdOf(init),
        graphqlRequest: async () => null,
      })
      // what the first token was accepted for ends with that token
      const expiresAt = earliest(this.#authenticated?.expiresAt ?? null, authenticated.expiresAt)
      this.#authenticated = { ...authenticated, expiresAt }
    } catch (cause) {
      const { message } = this.#apiError(cause, this.id)
      this.#authenticated = null
      this.#phase = { kind: 'refused', reason: message }
      this.#send({ kind: 'connection-error', message })
      this.#close(authenticationFailed(this.#protocol, message))
      return
    }
    if (this.#closing || this.#ended) return
    this.#authenticating = false
    this.#acceptAnySize()
    this.#phase = { kind: 'ready' }
    // a draft is addressed by the request that opens the socket, or by the init
    const draft = ownHeaders(headers, headerPrefix)[draftHeader] ?? init[draftHeader]
    this.#ownHeaders = draft === undefined ? init : { ...init, [draftHeader]: draft }
    clearTimeout(this.#initTimer)
    this.#stopExpiry()
    // the client sees 1006: there is no close frame (reference/websockets#ends)
    this.#stopExpiry = callAt(this.#authenticated.expiresAt, () => this.terminate())
    this.#send({ kind: 'ack' })
    this.#send({ kind: 'keep-alive' })
  }

  /** There is no answer to it (reference/websockets#rules-of-operations). */
  #stop(id: string): void {
    if (this.#operations.stop(id)) return
    const place = this.#waiting.findIndex((message) => message.kind === 'start' && message.id === id)
    if (place < 0) return
    this.#waiting.splice(place, 1)
    this.#log({ kind: 'operation', operationId: id, type: 'stopped' })
  }

  #send(event: ServerEvent): void {
    const frame = frameOf(event, this.#protocol, this.#parts.endpoint.errors)
    if (frame !== null) this.#outgoing.text(frame)
  }

  #close({ code, reason }: Closing): void {
    if (this.#closing) return
    this.#closing = true
    this.#waiting.length = 0
    this.#operations.endSubscriptions()
    const { socket } = this.#parts
    socket.close(code, reason)
    if (this.#phase.kind === 'ready') return
    // its close frame is read, and little else
    socket.resume()
    const timer = setTimeout(() => socket.terminate(), CLOSED_WITHIN)
    socket.once('close', () => clearTimeout(timer))
  }

  #closed(code: number, reason: string): void {
    this.#ended = true
    this.#waiting.length = 0
    clearInterval(this.#keepAlive)
    clearTimeout(this.#initTimer)
    this.#stopExpiry()
    this.#acceptAnySize()
    this.#outgoing.end()
    this.#operations.endSubscriptions()
    this.#operations.abort()
    this.#log({ kind: 'closed', code, reason })
  }

  #apiError(cause: unknown, requestId: string): ApiError {
    if (cause instanceof ApiError) return cause
    this.#parts.observer.report({ kind: 'request-crashed', requestId, error: errorReport(cause) })
    return unexpectedError(cause)
  }

  #log(event: WebsocketFacts): void {
    const { session, expiresAt = null } = this.#authenticated ?? {}
    this.#parts.observer.report({
      kind: 'websocket',
      websocketId: this.id,
      event,
      tokenExpiry: expiresAt,
      userVariables: session ? Object.fromEntries(session.variables) : null,
    })
  }
}

const earliest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

import { randomUUID } from 'node:crypto'
import { type Authentication, type Headers, ownHeaders } from '../auth/index.ts'
import { ApiError } from '../errors.ts'
import { clientAddress, unexpectedError } from '../http/index.ts'
import { errorReport, type WebsocketFacts } from '../observe/index.ts'
import type { SubscriberEvents } from '../subscriptions/index.ts'
import { at } from './at.ts'
import { authenticationHeaders, headersOfInit } from './authentication.ts'
import type { ClientMessage } from './client-message.ts'
import { authenticationFailed, type Closing, initTimedOut } from './close-reason.ts'
import type { ConnectionParts } from './connection-parts.ts'
import { frameOf, resultOpening, type ServerEvent } from './frames.ts'
import { type Phase, type Step, stepsFor, stepsForUnread, waitsItsTurn } from './next-step.ts'
import { Outgoing } from './outgoing.ts'
import { type Protocol, protocolOf } from './protocol.ts'
import { type Incoming, readMessages } from './read-messages.ts'
import { requestIdOf } from './request-id-of.ts'

/** Messages that may wait for their turn; a client that sends more is not read meanwhile. */
const MOST_WAITING = 100

interface Running {
  readonly id: string
  readonly stop: AbortController
}

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
  #running: Running | null = null
  readonly #subscriptions = new Map<string, () => void>()
  /** It is closed so once what runs is answered. */
  #ending: Closing | null = null
  #ended = false
  readonly #keepAlive: NodeJS.Timeout
  readonly #initTimer: NodeJS.Timeout
  #stopExpiry = () => {}

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    const { socket, connection, settings } = parts
    this.#protocol = protocolOf(socket.protocol)
    this.#outgoing = new Outgoing(socket, connection, settings.stallTimeout, () => {
      this.#log({ kind: 'error', message: 'the client does not take what it is sent: disconnected' })
      socket.terminate()
    })
    readMessages(socket, {
      maxValues: settings.maxValues,
      take: (read) => this.#handle(read),
      isFull: () => this.#waiting.length >= MOST_WAITING,
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
    this.#endSubscriptions()
    if (!this.#working) this.#close(this.#ending)
  }

  /** Breaks it off. */
  terminate(): void {
    this.#parts.socket.terminate()
  }

  #handle(read: Incoming): void {
    if (!read.ok) {
      for (const step of stepsForUnread(read, this.#protocol)) void this.#take(step)
      return
    }
    const { message } = read
    if (!waitsItsTurn(message)) {
      for (const step of this.#stepsFor(message)) void this.#take(step)
      return
    }
    if (this.#ending) return
    this.#waiting.push(message)
    if (this.#waiting.length === MOST_WAITING) this.#parts.socket.pause()
    void this.#work()
  }

  #stepsFor(message: ClientMessage): readonly Step[] {
    return stepsFor(message, this.#phase, this.#protocol, (id) => this.#subscriptions.has(id))
  }

  /** What waits, one after another; the client takes an answer before it gets the next. */
  async #work(): Promise<void> {
    if (this.#working) return
    this.#working = true
    for (let message = this.#waiting.shift(); message && !this.#ended; message = this.#waiting.shift()) {
      if (this.#waiting.length < MOST_WAITING / 2 && this.#parts.socket.isPaused) this.#parts.socket.resume()
      for (const step of this.#stepsFor(message)) await this.#take(step)
      if (!this.#outgoing.keepsUp) await new Promise<void>((resolve) => this.#outgoing.caughtUp(resolve))
    }
    this.#working = false
    if (this.#ending) this.#close(this.#ending)
  }

  async #take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'send':
        if (step.event.kind === 'refused-early')
          this.#logOperation(step.event.id, { type: 'proto_err', detail: step.event.error.message })
        this.#send(step.event)
        return
      case 'close':
        this.#close(step.closing)
        return
      case 'authenticate':
        await this.#authenticate(step.headers)
        return
      case 'start':
        await this.#start(step.id, step.payload as Readonly<Record<string, unknown>>)
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
      this.#authenticated = await services.authenticate({
        headers: authenticationHeaders(init, ownHeaders(headers, headerPrefix), cookies),
        requestId: requestIdOf(init),
        graphqlRequest: async () => null,
      })
    } catch (cause) {
      const { message } = this.#apiError(cause, this.id)
      this.#authenticated = null
      this.#phase = { kind: 'refused', reason: message }
      this.#send({ kind: 'connection-error', message })
      this.#close(authenticationFailed(this.#protocol, message))
      return
    }
    if (this.#ended) return
    this.#phase = { kind: 'ready' }
    this.#ownHeaders = init
    clearTimeout(this.#initTimer)
    this.#stopExpiry()
    // the client sees 1006: there is no close frame (reference/websockets#ends)
    this.#stopExpiry = at(this.#authenticated.expiresAt, () => this.terminate())
    this.#send({ kind: 'ack' })
    this.#send({ kind: 'keep-alive' })
  }

  async #start(id: string, payload: Readonly<Record<string, unknown>>): Promise<void> {
    const { services, endpoint } = this.#parts
    const { session } = this.#authenticated ?? {}
    if (!session || this.#ended) return
    const requestId = requestIdOf(this.#ownHeaders)
    const operationName = typeof payload.operationName === 'string' ? payload.operationName : null
    const about = { requestId, operationName, query: payload.query ?? null }
    const stop = new AbortController()
    this.#running = { id, stop }
    let begun = false
    try {
      const operation = {
        payload,
        session,
        address: clientAddress(this.#parts.headers, this.#parts.connection.remoteAddress ?? ''),
        requestId,
        headers: this.#ownHeaders,
        api: endpoint.api,
        signal: stop.signal,
      }
      const started = await services.start(operation, this.#events(id, about), () => {
        begun = true
        this.#logOperation(id, { type: 'started', ...about })
      })
      switch (started.kind) {
        case 'answer':
          if (stop.signal.aborted) return
          this.#outgoing.pieces(resultOpening(id, this.#protocol), started.body, '}')
          this.#send({ kind: 'complete', id })
          this.#logOperation(id, { type: 'completed', ...about })
          return
        case 'subscription':
          if (stop.signal.aborted || this.#ended) started.end()
          else this.#subscriptions.set(id, started.end)
      }
    } catch (cause) {
      if (stop.signal.aborted) return
      const error = this.#apiError(cause, requestId)
      this.#logOperation(id, { type: 'query_err', detail: error.message, ...about })
      this.#send({ kind: begun ? 'failed' : 'refused', id, error })
      this.#send({ kind: 'complete', id })
    } finally {
      this.#running = null
    }
  }

  #events(id: string, about: { readonly requestId: string }): SubscriberEvents {
    const opening = resultOpening(id, this.#protocol)
    return {
      next: (body) => this.#outgoing.pieces(opening, body, '}'),
      failed: (error) => this.#send({ kind: 'poll-failed', id, error }),
      refused: (error) => {
        this.#subscriptions.delete(id)
        this.#logOperation(id, { type: 'query_err', detail: error.message, ...about })
        this.#send({ kind: 'refused', id, error })
        this.#send({ kind: 'complete', id })
      },
      completed: () => {
        this.#subscriptions.delete(id)
        this.#logOperation(id, { type: 'completed', ...about })
        this.#send({ kind: 'complete', id })
      },
      keepsUp: () => this.#outgoing.keepsUp,
      caughtUp: (then) => this.#outgoing.caughtUp(then),
    }
  }

  /** There is no answer to it (reference/websockets#rules-of-operations). */
  #stop(id: string): void {
    const place = this.#waiting.findIndex((message) => message.kind === 'start' && message.id === id)
    const subscription = this.#subscriptions.get(id)
    if (subscription) {
      this.#subscriptions.delete(id)
      subscription()
    } else if (this.#running?.id === id) this.#running.stop.abort(new Error('stopped by the client'))
    else if (place >= 0) this.#waiting.splice(place, 1)
    else return
    this.#logOperation(id, { type: 'stopped' })
  }

  #endSubscriptions(): void {
    const subscriptions = [...this.#subscriptions.values()]
    this.#subscriptions.clear()
    for (const end of subscriptions) end()
  }

  #send(event: ServerEvent): void {
    const frame = frameOf(event, this.#protocol, this.#parts.endpoint.errors)
    if (frame !== null) this.#outgoing.text(frame)
  }

  #close({ code, reason }: Closing): void {
    this.#waiting.length = 0
    this.#endSubscriptions()
    this.#parts.socket.close(code, reason)
  }

  #closed(code: number, reason: string): void {
    this.#ended = true
    this.#waiting.length = 0
    clearInterval(this.#keepAlive)
    clearTimeout(this.#initTimer)
    this.#stopExpiry()
    this.#outgoing.end()
    this.#endSubscriptions()
    this.#running?.stop.abort(new Error('the client has gone'))
    this.#log({ kind: 'closed', code, reason })
  }

  #apiError(cause: unknown, requestId: string): ApiError {
    if (cause instanceof ApiError) return cause
    this.#parts.observer.report({ kind: 'request-crashed', requestId, error: errorReport(cause) })
    return unexpectedError(cause)
  }

  #logOperation(operationId: string, about: Omit<WebsocketFacts & { kind: 'operation' }, 'kind' | 'operationId'>) {
    this.#log({ kind: 'operation', operationId, ...about })
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

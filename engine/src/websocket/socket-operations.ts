import type { Headers } from '../auth/index.ts'
import type { ApiError } from '../errors.ts'
import { clientAddress, requestIdOf } from '../http/index.ts'
import type { WebsocketFacts } from '../observe/index.ts'
import type { Session } from '../session.ts'
import type { SubscriberEvents } from '../subscriptions/index.ts'
import type { ConnectionParts } from './connection-parts.ts'
import { resultOpening, type ServerEvent } from './frames.ts'
import type { Outgoing } from './outgoing.ts'
import type { Protocol } from './protocol.ts'

interface OperationsParts
  extends Pick<ConnectionParts, 'services' | 'endpoint' | 'settings' | 'headers' | 'connection'> {
  readonly protocol: Protocol
  readonly outgoing: Outgoing
  /** Null: nothing may begin. */
  session(): Session | null
  /** Of the latest connection_init. */
  ownHeaders(): Headers
  send(event: ServerEvent): void
  log(event: WebsocketFacts): void
  apiError(cause: unknown, requestId: string): ApiError
}

interface Running {
  readonly id: string
  readonly stop: AbortController
}

/**
 * The operations of one socket: one query or mutation at a time, and its subscriptions
 * (reference/websockets#rules-of-operations).
 */
export class SocketOperations {
  readonly #parts: OperationsParts
  readonly #subscriptions = new Map<string, () => void>()
  #running: Running | null = null

  constructor(parts: OperationsParts) {
    this.#parts = parts
  }

  /** A subscription of that id is active. */
  isLive(id: string): boolean {
    return this.#subscriptions.has(id)
  }

  /** Resolves once a query or mutation is answered, a subscription is begun, or either has failed. Never rejects. */
  async start(id: string, payload: Readonly<Record<string, unknown>>): Promise<void> {
    const { services, endpoint, settings, headers, connection, outgoing, protocol, send, apiError } = this.#parts
    const session = this.#parts.session()
    if (!session) return
    const ownHeaders = this.#parts.ownHeaders()
    const requestId = requestIdOf(ownHeaders)
    const operationName = typeof payload.operationName === 'string' ? payload.operationName : null
    const about = { requestId, operationName, query: payload.query ?? null }
    const stop = new AbortController()
    this.#running = { id, stop }
    let begun = false
    try {
      const operation = {
        payload,
        session,
        address: clientAddress(headers, connection.remoteAddress ?? ''),
        requestId,
        headers: ownHeaders,
        api: endpoint.api,
        maySubscribe: this.#subscriptions.size < settings.maxSubscriptions,
        signal: stop.signal,
      }
      const started = await services.start(operation, this.#events(id, about), () => {
        begun = true
        this.#log(id, { type: 'started', ...about })
      })
      switch (started.kind) {
        case 'answer':
          if (stop.signal.aborted) return
          outgoing.pieces(resultOpening(id, protocol), started.body, '}')
          send({ kind: 'complete', id })
          this.#log(id, { type: 'completed', ...about })
          return
        case 'subscription':
          if (stop.signal.aborted || !this.#parts.session()) started.end()
          else this.#subscriptions.set(id, started.end)
      }
    } catch (cause) {
      if (stop.signal.aborted) return
      const error = apiError(cause, requestId)
      this.#log(id, { type: 'query_err', detail: error.message, ...about })
      send({ kind: begun ? 'failed' : 'refused', id, error })
      send({ kind: 'complete', id })
    } finally {
      this.#running = null
    }
  }

  /** Ends what has that id; whether anything had. */
  stop(id: string): boolean {
    const subscription = this.#subscriptions.get(id)
    if (subscription) {
      this.#subscriptions.delete(id)
      subscription()
    } else if (this.#running?.id === id) this.#running.stop.abort(new Error('stopped by the client'))
    else return false
    this.#log(id, { type: 'stopped' })
    return true
  }

  endSubscriptions(): void {
    const subscriptions = [...this.#subscriptions.values()]
    this.#subscriptions.clear()
    for (const end of subscriptions) end()
  }

  /** Cancels what runs: its client has gone. */
  abort(): void {
    this.#running?.stop.abort(new Error('the client has gone'))
  }

  #events(id: string, about: { readonly requestId: string }): SubscriberEvents {
    const { outgoing, protocol, send } = this.#parts
    const opening = resultOpening(id, protocol)
    return {
      next: (body) => outgoing.pieces(opening, body, '}'),
      failed: (error) => send({ kind: 'poll-failed', id, error }),
      refused: (error) => {
        this.#subscriptions.delete(id)
        this.#log(id, { type: 'query_err', detail: error.message, ...about })
        send({ kind: 'refused', id, error })
        send({ kind: 'complete', id })
      },
      completed: () => {
        this.#subscriptions.delete(id)
        this.#log(id, { type: 'completed', ...about })
        send({ kind: 'complete', id })
      },
      canReceive: () => outgoing.canReceive,
      caughtUp: (then) => outgoing.caughtUp(then),
    }
  }

  #log(operationId: string, about: Omit<WebsocketFacts & { kind: 'operation' }, 'kind' | 'operationId'>): void {
    this.#parts.log({ kind: 'operation', operationId, ...about })
  }
}

import type { Authenticate, Headers } from '../auth/index.ts'
import type { Api } from '../graphql/index.ts'
import type { Session } from '../session.ts'
import type { SubscriberEvents } from '../subscriptions/index.ts'

/** A GraphQL operation as it came over a socket. */
interface Operation {
  /** The payload of start or subscribe. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly session: Session
  /** Of the client, as proxies say. */
  readonly address: string
  readonly requestId: string
  /**
   * Those of connection_init's payload: what is forwarded to other servers
   * (reference/websockets#authentication-of-websockets).
   */
  readonly headers: Headers
  readonly api: Api
  /** Whether the socket may have one more subscription. */
  readonly maySubscribe: boolean
  /** Aborted when the client stopped it or has gone. */
  readonly signal: AbortSignal
}

type StartedOperation =
  /** Of a query or mutation: all of it. */
  | { readonly kind: 'answer'; readonly body: readonly Buffer[] }
  | { readonly kind: 'subscription'; readonly end: () => void }

export interface WebsocketServices {
  readonly authenticate: Authenticate
  /** Throws ApiError; `begun` is called once nothing is wrong with the operation itself. */
  start(operation: Operation, events: SubscriberEvents, begun: () => void): Promise<StartedOperation>
}

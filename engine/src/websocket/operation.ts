import type { Authenticate, Headers } from '../auth/index.ts'
import type { ApiError } from '../errors.ts'
import type { Api } from '../graphql/index.ts'
import type { Session } from '../session.ts'

/** A GraphQL operation as it came over a socket. */
export interface Operation {
  /** The payload of start or subscribe. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly session: Session
  /** Of the client, as proxies say. */
  readonly address: string
  readonly requestId: string
  /** Those of connection_init's payload: what is forwarded to others (spec 04 §5.3). */
  readonly headers: Headers
  readonly api: Api
  /** Aborted when the client stopped it or has gone. */
  readonly signal: AbortSignal
}

/** What a subscription has to say once it has begun. */
export interface OperationEvents {
  /** A result: `{"data":{…}}` in pieces, the same for all who see it. */
  next(body: readonly Buffer[]): void
  /** The latest poll failed; it goes on. */
  failed(error: ApiError): void
  /** It cannot go on. */
  refused(error: ApiError): void
  /** False while the client has not taken what it was sent: what is new can wait until `caughtUp`. */
  readonly keepsUp: () => boolean
  /** Calls once when it has. */
  caughtUp(then: () => void): void
}

export type StartedOperation =
  /** Of a query or mutation: all of it. */
  | { readonly kind: 'answer'; readonly body: readonly Buffer[] }
  | { readonly kind: 'subscription'; readonly end: () => void }

export interface WebsocketServices {
  readonly authenticate: Authenticate
  /** Throws ApiError; `begun` is called once nothing is wrong with the operation itself. */
  start(operation: Operation, events: OperationEvents, begun: () => void): Promise<StartedOperation>
}

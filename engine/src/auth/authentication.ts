import type { Session } from '../session.ts'
import type { Headers } from './session-variables.ts'

/** What authentication may read: a request of HTTP, or the connection_init of a websocket. */
export interface AuthenticationRequest {
  /** Lower-case names. Of a websocket: the headers of connection_init's payload, then those of the handshake. */
  readonly headers: Headers
  readonly requestId: string
  /** Whether access tokens count here; a session of one has `access`, to be checked before anything is done. */
  readonly takesAccessTokens?: boolean
  /**
   * The GraphQL request (one operation or a batch) where there is one, else null; requested by the webhook mode only.
   * Rejects when the body cannot be received.
   */
  graphqlRequest(): Promise<unknown>
}

/** The session of a request, and what follows for its response and the connection. */
export interface Authentication {
  readonly session: Session
  /** `Set-Cookie` of the webhook's answer, for the client's. */
  readonly cookies: readonly string[]
  /**
   * Milliseconds since 1970 at which a websocket's session ends (reference/authentication#webhook,
   * reference/authentication#jwt); a request of HTTP is not affected.
   */
  readonly expiresAt: number | null
  /** Equal headers later have the same session: it depends neither on the time nor on another server. */
  readonly isOfHeaders?: true
}

/**
 * Returns the session of a request (reference/authentication#who-asks). HTTP and websockets call it for every request.
 * Throws ApiError: access-denied 401, and what the mode says. It returns no Promise where it need not wait.
 */
export type Authenticate = (request: AuthenticationRequest) => Authentication | Promise<Authentication>

export const authenticated = (session: Session): Authentication => ({
  session,
  cookies: [],
  expiresAt: null,
  isOfHeaders: true,
})

import type { ApiError } from '../errors.ts'
import type { PreparedPoll, SubscriptionRequest } from '../execute/index.ts'
import type { Route } from '../sources/index.ts'
import type { Cohort } from './cohort.ts'
import type { Poller } from './poller.ts'

/** What a subscriber receives; the connection's side of it. */
export interface SubscriberEvents {
  /** A result: `{"data":{…}}` in pieces, which are valid during the call only. */
  next(body: readonly Buffer[]): void
  /** The latest poll failed; it goes on. */
  failed(error: ApiError): void
  /** It has ended: it cannot be answered, or not any more. */
  refused(error: ApiError): void
  /** It has said all that it will ever say. */
  completed(): void
  /** False while the client has not taken what it was sent: what is new waits until `caughtUp`. */
  canReceive(): boolean
  /** Calls once when it has. */
  caughtUp(then: () => void): void
}

/** One subscription of one client. */
export interface Subscriber extends SubscriptionRequest {
  readonly events: SubscriberEvents
  prepared: PreparedPoll
  /** What the source's connection template said when it subscribed, or metadata changed. */
  route: Route
  /** Both null once it has ended. */
  poller: Poller | null
  cohort: Cohort | null
  /** Only statements that began later count: they see whatever was committed before it came. */
  joined: number
  /** It has got something, so that an error is one of a poll. */
  served: boolean
  /** Of the latest result of a live query that it has been sent. */
  hash: string | null
  /** It waits for its client. */
  waiting: boolean
}

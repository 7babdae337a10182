import type { PreparedPoll } from '../execute/index.ts'
import type { Subscriber } from './subscriber.ts'

/** What goes with an answer for a cohort. */
export interface Delivery {
  readonly prepared: PreparedPoll
  /** When its statement began: it is not for subscribers that joined later. */
  readonly since: number
  /** Has a subscriber left out until its client has taken what it was sent. */
  wait(subscriber: Subscriber): void
  /** Puts a subscriber among those with these values. */
  move(subscriber: Subscriber, values: readonly (string | null)[]): void
}

/**
 * The requests of workers to each other: to serve what is stored now, for their figures, subscriptions and health
 * checks.
 */
export type Topic = 'follow' | 'figures' | 'subscriptions' | 'health'

/** The processes that share a port with this one, as one of them sees them. */
export interface Peers {
  /** This one's number, from 1. */
  readonly worker: number
  /** How many there are, this one included. */
  readonly count: number
  /** Whether one more request of this key is allowed a minute, whichever process gets it; it is counted then. */
  admit(key: string, perMinute: number): Promise<boolean>
  /** What every process says, this one included, in no order. One that does not answer in time is left out. */
  ask(topic: Topic, payload: unknown): Promise<readonly unknown[]>
  /** How this one answers; what it rejects with is no answer. */
  onQuestion(topic: Topic, answer: (payload: unknown) => Promise<unknown>): void
}

/** Of a queue of writes, in milliseconds. */
export interface QueueTimes {
  /** How long a write waits at most for other writes. */
  readonly wait: number
  /** How long, while nothing is written, for a tool to start what is next. */
  readonly grace: number
  /** The same where as many wait as were ever written at once: the tool has no slot left to start anything in. */
  readonly fullGrace: number
  /** How long an engine may be gone in the middle of writing. */
  readonly retryFor: number
  /** How long a write is computed again because other clients change its object. */
  readonly contention: number
  /** How long at most, after an answer, for what a tool starts in the slots that it freed. */
  readonly refill: number
}

export const usualTimes: QueueTimes = {
  wait: 5000,
  grace: 250,
  fullGrace: 50,
  retryFor: 30_000,
  contention: 60_000,
  refill: 50,
}

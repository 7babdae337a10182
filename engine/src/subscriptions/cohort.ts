import type { Subscriber } from './subscriber.ts'

/** Subscribers of one statement with equal values: they share an answer (reference/subscriptions#live-queries). */
export interface Cohort {
  readonly key: string
  readonly values: readonly (string | null)[]
  readonly subscribers: Set<Subscriber>
  /** A statement is requesting it. */
  asked: boolean
  /** It made a shared statement fail: it is polled by itself until it succeeds. */
  alone: boolean
}

export const cohortKey = (values: readonly (string | null)[]): string => JSON.stringify(values)

export const newCohort = (key: string, values: readonly (string | null)[]): Cohort => ({
  key,
  values,
  subscribers: new Set(),
  asked: false,
  alone: false,
})

/** Whether a subscriber in it can receive an answer. */
export function hasSubscribers({ subscribers }: Cohort): boolean {
  for (const { waiting } of subscribers) if (!waiting) return true
  return false
}

import type { LongWork } from '../long-work.ts'
import { answerBody, answerHash } from './answer-body.ts'
import type { Cohort } from './cohort.ts'
import type { Delivery } from './delivery.ts'

/**
 * Sends a live query's answer to subscribers that have not seen it (reference/subscriptions#live-queries). Returns how
 * many were sent it. Subscribers that leave meanwhile get nothing.
 */
export function* deliverLive(
  cohort: Cohort,
  roots: readonly (Buffer | null)[],
  { since, prepared, wait }: Delivery,
): LongWork<number> {
  const hash = answerHash(roots)
  let body: readonly Buffer[] | undefined
  let sent = 0
  for (const subscriber of cohort.subscribers) {
    if (subscriber.joined >= since || subscriber.hash === hash) continue
    if (!subscriber.events.canReceive()) {
      // it gets what is new then, and nothing in between
      wait(subscriber)
      continue
    }
    body ??= answerBody(prepared, roots)
    subscriber.hash = hash
    subscriber.served = true
    subscriber.events.next(body)
    sent += 1
    yield 1
  }
  return sent
}

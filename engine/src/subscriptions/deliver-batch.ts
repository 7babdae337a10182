import type { StreamCursor } from '../execute/index.ts'
import type { LongWork } from '../long-work.ts'
import { answerBody } from './answer-body.ts'
import type { Cohort } from './cohort.ts'
import type { Delivery } from './delivery.ts'

/**
 * Sends a batch of a stream, and advances the cursors of the subscribers that got it (reference/subscriptions#streams).
 * An empty one is never sent. A subscriber that cannot receive it keeps its cursor. Returns how many got it.
 */
export function* deliverBatch(
  cohort: Cohort,
  [root = null, next = null]: readonly (Buffer | null)[],
  cursor: StreamCursor,
  { since, prepared, wait, move }: Delivery,
): LongWork<number> {
  for (const subscriber of cohort.subscribers) if (subscriber.joined < since) subscriber.served = true
  if (next === null) return 0
  const body = answerBody(prepared, [root])
  const values = cohort.values.with(cursor.slot, next.toString())
  let sent = 0
  for (const subscriber of [...cohort.subscribers]) {
    // it may have left while it was sent to others
    if (subscriber.joined >= since || subscriber.cohort !== cohort) continue
    if (!subscriber.events.canReceive()) {
      wait(subscriber)
      continue
    }
    // before it is sent, since that may end the subscription
    move(subscriber, values)
    subscriber.events.next(body)
    sent += 1
    yield 1
  }
  return sent
}

import type { PreparedPoll } from '../execute/index.ts'
import type { Subscriber } from './subscriber.ts'

/** What is asked in the same words, over the same connection and as the same role, can be asked together. */
export function pollerKey(
  { session: { role }, api, route }: Subscriber,
  { source, statement, pieces }: PreparedPoll,
  shared: readonly (string | null)[],
): string {
  return JSON.stringify([source, role, api, statement.text, pieces.map(String), shared, route])
}

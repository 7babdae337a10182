/**
 * Whether `one` was there; most often it is the first. Queues of requests are arrays, no Sets: with each few that come and go a
 * Set makes a new table, and V8 links the old one to it, so that tables which grew old before they died keep requests alive that
 * were answered long ago (bench/results/queries.md).
 */
export function leaveQueue<Item>(queue: Item[], one: Item): boolean {
  const at = queue.indexOf(one)
  if (at === 0) queue.shift()
  else if (at > 0) queue.splice(at, 1)
  return at >= 0
}

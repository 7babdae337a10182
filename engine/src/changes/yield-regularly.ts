import { setImmediate } from 'node:timers/promises'

/** Milliseconds that a long request may hold the event loop at a stretch. */
const longest = 10

/**
 * For loops over the members of a bulk: awaiting the result yields to the event loop, when it is time. Without it a bulk
 * of 6,000 members delays all other requests for seconds.
 */
export function yielding(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < longest) return
    await setImmediate()
    since = performance.now()
  }
}

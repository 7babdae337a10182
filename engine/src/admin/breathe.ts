import { setImmediate } from 'node:timers/promises'

/** Milliseconds that a long request may keep all others waiting in one go. */
const longest = 10

/**
 * For loops over the members of a bulk: awaiting the result lets other requests in, when it is time. Without it a bulk of
 * 6,000 members keeps everything else that the engine serves waiting for seconds.
 */
export function breathing(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < longest) return
    await setImmediate()
    since = performance.now()
  }
}

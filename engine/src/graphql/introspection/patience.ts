import { setImmediate } from 'node:timers/promises'

const milliseconds = 10

/** Lets other requests in between: to be awaited often, it waits once its time is up. */
export type Patience = () => Promise<void> | undefined

export function patience(): Patience {
  let since = performance.now()
  return () => {
    if (performance.now() - since < milliseconds) return undefined
    return setImmediate().then(() => {
      since = performance.now()
    })
  }
}

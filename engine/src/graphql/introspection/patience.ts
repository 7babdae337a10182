import { setImmediate } from 'node:timers/promises'

/** Another request may have to wait for two such stretches, before it is read and before its database's answer is. */
const milliseconds = 2

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

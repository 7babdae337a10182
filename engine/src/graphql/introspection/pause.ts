import { setImmediate } from 'node:timers/promises'

/** Another request may have to wait for two such stretches, before it is read and before its database's answer is. */
const milliseconds = 2

/** Yields to the event loop once its time is up: to be awaited often. */
export type Pause = () => Promise<void> | undefined

export function newPause(): Pause {
  let since = performance.now()
  return () => {
    if (performance.now() - since < milliseconds) return undefined
    return setImmediate().then(() => {
      since = performance.now()
    })
  }
}

import type { EventingIdentityStore } from '../metadata/index.ts'
import type { Observer } from '../observe/index.ts'

/** Milliseconds between checks of whose the catalogue is. */
const INTERVAL = 2000

export interface EventingIdentity {
  /** Whether this engine sends events and calls the handlers of asynchronous actions. */
  sends(): boolean
  /** Why it does not; null where it does. */
  withheld(): string | null
  close(): void
}

const always: EventingIdentity = { sends: () => true, withheld: () => null, close: () => {} }

/**
 * Follows which deployment owns the catalogue: a restored copy names the deployment it was copied from, and an engine
 * of another name must not send that one's events (docs/operations.md#restored-copies). Without a name every engine
 * sends.
 */
export async function followEventingIdentity(
  identity: string | null,
  store: EventingIdentityStore,
  observer: Observer,
): Promise<EventingIdentity> {
  if (identity === null) return always
  let owner: string | null = null
  let isKnown = false
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const read = async () => {
    // while the metadata database is unavailable, what was known counts
    const found = await store.claim(identity).catch(() => owner)
    if (!isKnown || found !== owner) {
      isKnown = true
      owner = found
      observer.report(
        owner === identity ? { kind: 'eventing-resumed', identity } : { kind: 'eventing-withheld', identity, owner },
      )
    }
  }
  const follow = async () => {
    await read()
    if (!isClosed) timer = setTimeout(() => void follow(), INTERVAL).unref()
  }
  await follow()
  return {
    sends: () => owner === identity,
    withheld: () =>
      owner === identity ? null : `no events are sent: the catalogue is that of "${owner ?? ''}", not of "${identity}"`,
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

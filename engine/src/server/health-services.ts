import { addressText } from '@svc/schema'
import { isNotServed } from '../changes/index.ts'
import type { Services } from '../http/index.ts'
import { within } from '../within.ts'
import type { ServerParts } from './server-parts.ts'

/** Returns the services that health endpoints read (reference/http#health). */
export const healthServices = (
  { store, metadata }: ServerParts,
  withheld: () => string | null,
): Pick<Services, 'health' | 'unreachableSources'> => ({
  health: async () => ({
    reachable: await soon(store.ping()),
    ...consistency(metadata.current()),
    withheld: withheld(),
  }),
  unreachableSources: async () => {
    const states = [...metadata.current().model.input.sources.values()]
    const reachable = await Promise.all(
      states.map((state) => state.status === 'ready' && soon(state.connection.ping().then(() => true))),
    )
    return states.filter((_, index) => !reachable[index]).map(({ name }) => name)
  },
})

function consistency({ model }: ReturnType<ServerParts['metadata']['current']>) {
  const draft = { document: model.input.document, states: model.input.sources }
  const left = [...model.faults.values()].filter((fault) => isNotServed(fault, draft, model.faults))
  return {
    consistent: model.inconsistencies.size === left.length,
    notServed: left.flatMap(({ address }) => model.inconsistencies.get(addressText(address))?.name ?? []).sort(),
  }
}

/** Milliseconds: a database that is frozen is not reachable. */
const pingMilliseconds = 3000

/** False where the answer does not come in time. */
const soon = (ping: Promise<boolean>): Promise<boolean> =>
  within(
    pingMilliseconds,
    ping.catch(() => false),
    false,
  )

import { addressText, type ObjectAddress } from '@svc/schema'
import { addressOfKey, type LoggedChange, type MetadataClient, readChanges } from '../client/index.ts'
import type { Made } from './provider.ts'

/**
 * Returns a function that says whether a resource of the same tool has made an object since a version: then that one is
 * its owner. What people make again belongs to the resource that declares it. A log that does not reach so far says
 * nothing.
 */
export function creationLog(
  client: MetadataClient,
  tool: string,
): (address: ObjectAddress, made: Made) => Promise<boolean> {
  let known: { readonly since: number; readonly creations: Promise<Creations> } | null = null
  const isOfTool = ({ by }: LoggedChange) => typeof by.actor === 'string' && by.actor.startsWith(`${tool}, `)

  const read = async (since: number, catalog: string): Promise<Creations> => {
    const log = await readChanges(client, since, catalog)
    const creations = new Map<string, number>()
    if (!log.complete) return creations
    for (const one of log.changes) {
      const address = one.change === 'create' && isOfTool(one) ? addressOfKey(one.object.type, one.object.key) : null
      if (address) creations.set(addressText(address), one.resourceVersion)
    }
    return creations
  }

  return async (address, { catalog, version }) => {
    // each reading goes back twice as far as it must: a stack that goes requests many versions
    if (!known || version < known.since) {
      const since = known ? Math.floor(version / 2) : version
      known = { since, creations: read(since, catalog) }
    }
    return ((await known.creations).get(addressText(address)) ?? 0) > version
  }
}

type Creations = ReadonlyMap<string, number>

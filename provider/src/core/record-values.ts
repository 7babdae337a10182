import { setTimeout as pause } from 'node:timers/promises'
import { ClientError, type Envelope, type MetadataClient } from '../client/index.ts'
import type { FoundRecord, RecordKind, Values } from '../resources/index.ts'

/** How many are read at once where an engine does not search for one. */
const pageSize = 1000

/** Returns the record of an id. Throws ClientError. */
export async function findRecord(
  client: MetadataClient,
  { store }: RecordKind,
  id: string,
): Promise<FoundRecord | null> {
  for (let offset = 0; ; offset += pageSize) {
    const { body } = await client.send(store.read(id, { limit: pageSize, offset }))
    const page = store.found(body)
    const found = page.find((one) => one.id === id)
    if (found || page.length < pageSize) return found ?? null
  }
}

const pauses = [200, 1000, 3000]

/** Sends a request that may be repeated, once more where there was no answer. Throws ClientError. */
export async function sendAgain(
  client: MetadataClient,
  envelope: Envelope,
): Promise<Awaited<ReturnType<MetadataClient['send']>>> {
  for (const milliseconds of pauses)
    try {
      return await client.send(envelope)
    } catch (error) {
      if (!(error instanceof ClientError) || error.problem !== 'unreachable') throw error
      await pause(milliseconds)
    }
  return client.send(envelope)
}

/** Returns the id of a record in a state, or null where it has none yet. */
export const recordId = (values: Values | null): string | null => (typeof values?.id === 'string' ? values.id : null)

import { addressText, isRecord, type Json } from '@svc/schema'
import { addressOfKey, ClientError, type MetadataClient } from '../client/index.ts'

/** Reads owners by the texts of addresses; none from an engine without owners. Throws ClientError. */
export async function readOwners(client: MetadataClient): Promise<ReadonlyMap<string, string>> {
  const { body } = await client.send({ type: 'get_object_owners', args: {} }).catch((error: unknown) => {
    if (error instanceof ClientError && error.problem === 'older-engine') return { body: { owners: [] } }
    throw error
  })
  const owners: readonly Json[] = isRecord(body) && Array.isArray(body.owners) ? body.owners : []
  return new Map(
    owners.flatMap((one) => {
      if (!isRecord(one) || !isRecord(one.object) || !isRecord(one.object.key)) return []
      const address = addressOfKey(String(one.object.type), one.object.key)
      return address ? [[addressText(address), String(one.owner)] as const] : []
    }),
  )
}

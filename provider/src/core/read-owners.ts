import { addressText, recordOf, recordsIn } from '@svc/schema'
import { addressOfObject, ClientError, type MetadataClient } from '../client/index.ts'

/** Reads owners by the texts of addresses; none from an engine without owners. Throws ClientError. */
export async function readOwners(client: MetadataClient): Promise<ReadonlyMap<string, string>> {
  const { body } = await client.send({ type: 'get_object_owners', args: {} }).catch((error: unknown) => {
    if (error instanceof ClientError && error.problem === 'older-engine') return { body: { owners: [] } }
    throw error
  })
  return new Map(
    recordsIn(recordOf(body).owners).flatMap(({ object, owner }) => {
      const address = addressOfObject(object)
      return address ? [[addressText(address), String(owner)] as const] : []
    }),
  )
}

import { recordOf, recordsIn } from '@svc/schema'
import { ClientError, type MetadataClient } from '../client/index.ts'

/**
 * Resolves when the engine has the draft of a hash, or none is wanted. An engine that knows no drafts would write without
 * holding to one. Throws ClientError.
 */
export async function findDraft(client: MetadataClient, hash: string | undefined): Promise<void> {
  if (hash === undefined) return
  const { body } = await client.send({ type: 'list_drafts', args: {} })
  if (!recordsIn(recordOf(body).drafts).some((draft) => draft.hash === hash))
    throw new ClientError('no-draft', `the engine at ${client.endpoint} has no draft ${hash}, or it has expired`)
}

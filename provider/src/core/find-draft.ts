import { isRecord, type Json } from '@svc/schema'
import { ClientError, type MetadataClient } from '../client/index.ts'

/**
 * Resolves when the engine has the draft of a hash, or none is wanted. An engine that knows no drafts would write without
 * holding to one. Throws ClientError.
 */
export async function findDraft(client: MetadataClient, hash: string | undefined): Promise<void> {
  if (hash === undefined) return
  const { body } = await client.send({ type: 'list_drafts', args: {} })
  const drafts = isRecord(body) && Array.isArray(body.drafts) ? (body.drafts as readonly Json[]) : []
  if (!drafts.some((draft) => isRecord(draft) && draft.hash === hash))
    throw new ClientError('no-draft', `the engine at ${client.endpoint} has no draft ${hash}, or it has expired`)
}

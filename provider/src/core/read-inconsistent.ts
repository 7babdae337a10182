import { isRecord } from '@svc/schema'
import type { MetadataClient } from '../client/index.ts'
import { type InconsistentObject, inconsistentObjects } from './apply-plan.ts'

/** Reads the engine's inconsistent objects. Throws ClientError. */
export async function readInconsistent(client: MetadataClient): Promise<readonly InconsistentObject[]> {
  const { body } = await client.send({ type: 'get_inconsistent_metadata', args: {} })
  return inconsistentObjects(isRecord(body) ? body.inconsistent_objects : body)
}

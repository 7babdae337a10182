import { isRecord, type MetadataDocument, readMetadata } from '@svc/schema'
import { ClientError } from './client-error.ts'
import type { MetadataClient } from './metadata-client.ts'

export interface LiveMetadata {
  readonly document: MetadataDocument
  readonly resourceVersion: number
  readonly catalogId: string | null
  /** Keys this version does not know and would lose. */
  readonly ignored: readonly string[]
}

/** What the engine has now, with its version. Throws ClientError. */
export async function readLive(client: MetadataClient): Promise<LiveMetadata> {
  const { body, catalogId } = await client.send({ type: 'export_metadata', version: 2, args: {} })
  if (!isRecord(body) || typeof body.resource_version !== 'number')
    throw new ClientError(
      'older-engine',
      `the engine at ${client.endpoint} exports no version with its metadata: it is older than this svc`,
    )
  const read = readMetadata(body.metadata)
  if (!read.ok)
    throw new ClientError(
      'older-engine',
      `cannot read the metadata of ${client.endpoint}: ${read.issue.message} at ${read.issue.path.join('.')}`,
    )
  return {
    document: read.document,
    resourceVersion: body.resource_version,
    catalogId,
    ignored: read.ignored.map((path) => path.join('.')),
  }
}

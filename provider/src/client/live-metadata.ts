import {
  childrenOf,
  isRecord,
  type Json,
  type MetadataDocument,
  putObject,
  readMetadata,
  recordOf,
  recordsIn,
} from '@svc/schema'
import { ClientError } from './client-error.ts'
import type { MetadataClient } from './metadata-client.ts'

export interface LiveMetadata {
  readonly document: MetadataDocument
  readonly resourceVersion: number
  readonly catalogId: string | null
  /** Keys this version does not know and would lose. */
  readonly ignored: readonly string[]
}

/** An engine's answer to an export. */
export interface ExportedMetadata {
  readonly metadata: Json
  readonly resourceVersion: number
  readonly catalogId: string | null
}

/** What the engine has now, with its version. Throws ClientError. */
export async function readLive(client: MetadataClient): Promise<LiveMetadata> {
  return liveOf(client, await exportLive(client))
}

/**
 * The same before it is checked. Tables and functions with a hash in `known` come as that hash, from engines that know
 * hashes. Throws ClientError.
 */
export async function exportLive(client: MetadataClient, known: readonly string[] = []): Promise<ExportedMetadata> {
  const args = known.length > 0 ? { known } : {}
  const { body, catalogId } = await client.send({ type: 'export_metadata', version: 2, args })
  if (!isRecord(body) || typeof body.resource_version !== 'number')
    throw new ClientError(
      'older-engine',
      `the engine at ${client.endpoint} exports no version with its metadata: it is older than this svc`,
    )
  return { metadata: body.metadata ?? null, resourceVersion: body.resource_version, catalogId }
}

/** Throws ClientError for what no engine has. */
export function liveOf(
  client: MetadataClient,
  { metadata, resourceVersion, catalogId }: ExportedMetadata,
): LiveMetadata {
  const read = readMetadata(metadata)
  if (!read.ok)
    throw new ClientError(
      'older-engine',
      `cannot read the metadata of ${client.endpoint}: ${read.issue.message} at ${read.issue.path.join('.')}`,
    )
  return { document: read.document, resourceVersion, catalogId, ignored: read.ignored.map((path) => path.join('.')) }
}

/**
 * Returns the same, with the cron triggers that exports leave out as far as `wanted` declares them: the rest are not
 * this stack's to compare, and remain. `known`: where it has been read already.
 */
export async function readLiveFor(
  client: MetadataClient,
  wanted: MetadataDocument,
  known?: LiveMetadata,
): Promise<LiveMetadata> {
  const live = known ?? (await readLive(client))
  const declared = childrenOf(wanted, 'cron_trigger').filter(({ value }) => value.include_in_metadata === false)
  if (declared.isEmpty()) return live
  const { body } = await client.send({ type: 'get_cron_triggers', args: {} })
  const left = recordsIn(recordOf(body).cron_triggers).filter((one) => one.include_in_metadata === false)
  const hidden = readMetadata({ version: 3, sources: [], cron_triggers: left })
  if (!hidden.ok) return live
  let { document } = live
  for (const [own, trigger] of childrenOf(hidden.document, 'cron_trigger'))
    if (declared.has(own)) document = putObject(document, { type: 'cron_trigger', own, parent: null }, trigger)
  return { ...live, document }
}

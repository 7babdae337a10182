import { isRecord, type Json, type JsonObject, recordOf, recordsIn } from '@svc/schema'
import { ClientError } from './client-error.ts'
import type { MetadataClient } from './metadata-client.ts'

/** One object changed in one version (docs/metadata-api.md#what-changed). */
export interface LoggedChange {
  readonly resourceVersion: number
  readonly at: string
  readonly operation: string
  readonly change: 'create' | 'update' | 'delete'
  readonly object: { readonly type: string; readonly name: string; readonly key: JsonObject }
  readonly old: Json
  readonly new: Json
  readonly by: JsonObject
  /** The stack or directory that owns the object, or owned it; null: none. */
  readonly owner: string | null
}

export type ChangeLog =
  | {
      readonly complete: true
      readonly catalogId: string
      readonly resourceVersion: number
      readonly changes: readonly LoggedChange[]
    }
  | { readonly complete: false; readonly reason: string }

/** Every change since a version, oldest first, page by page. Throws ClientError. */
export async function readChanges(client: MetadataClient, since: number, catalogId: string | null): Promise<ChangeLog> {
  const changes: LoggedChange[] = []
  for (let from = since; ; ) {
    const args = {
      since_resource_version: from,
      limit: 10_000,
      ...(catalogId === null ? {} : { catalog_id: catalogId }),
    }
    const { body } = await client.send({ type: 'get_metadata_changes', args })
    if (!isRecord(body) || !Array.isArray(body.changes))
      throw new ClientError(
        'older-engine',
        `the engine at ${client.endpoint} keeps no log of changes: it is older than this svc`,
      )
    if (body.complete !== true) return { complete: false, reason: String(body.reason) }
    const page = recordsIn(body.changes).map(loggedChange)
    changes.push(...page)
    const last = page.at(-1)
    if (body.more !== true || !last)
      return {
        complete: true,
        catalogId: String(body.catalog_id),
        resourceVersion: Number(body.resource_version),
        changes,
      }
    from = last.resourceVersion
  }
}

function loggedChange(json: JsonObject): LoggedChange {
  const object = recordOf(json.object)
  return {
    resourceVersion: Number(json.resource_version),
    at: String(json.at),
    operation: String(json.operation),
    change: json.change as LoggedChange['change'],
    object: { type: String(object.type), name: String(object.name), key: recordOf(object.key) },
    old: json.old ?? null,
    new: json.new ?? null,
    by: recordOf(json.by),
    owner: typeof json.owner === 'string' ? json.owner : null,
  }
}

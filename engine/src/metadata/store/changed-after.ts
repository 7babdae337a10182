import { type CatalogueConnection, repeatable } from './connection.ts'
import { splitState } from './load-document.ts'
import type { ChangedObjects } from './metadata-store.ts'

/** The state, and the objects that the log reports after version $1. */
const changedAfterStatement = repeatable('svc_changed_after')`
    SELECT v.svc_uuid::text, m.resource_version::text, m.history_since::text, m.reloads::text
      FROM svc_catalog.metadata m CROSS JOIN svc_catalog.svc_version v
    UNION ALL
    (SELECT DISTINCT address, object->>'name', NULL, NULL FROM svc_catalog.change_log WHERE resource_version > $1)`

/** Null: the log does not reach back so far, or the version is none yet. */
export async function changedAfter(connection: CatalogueConnection, version: number): Promise<ChangedObjects | null> {
  const { state, rows } = splitState(await connection.run(changedAfterStatement, [version]))
  if (version < state.historySince || version > state.resourceVersion) return null
  return new Map(rows.map(([address, name]) => [address ?? '', name ?? '']))
}

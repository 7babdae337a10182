import type { JsonObject } from '@svc/schema'
import { parseExactly } from '../../exact-json/index.ts'
import { type CatalogueConnection, repeatable } from './connection.ts'
import { splitState } from './load-document.ts'
import type { ObjectValue } from './with-values.ts'

/** The state, and of each object that was changed after version $1 what the first of these changes replaced. */
const valuesStatement = repeatable('svc_values_at')`
    SELECT v.svc_uuid::text, m.resource_version::text, m.history_since::text, m.reloads::text
      FROM svc_catalog.metadata m CROSS JOIN svc_catalog.svc_version v
    UNION ALL
    (SELECT DISTINCT ON (address) address, old::text, NULL, NULL FROM svc_catalog.change_log
      WHERE resource_version > $1 ORDER BY address, resource_version, position)`

/** What the objects changed since a version were then; null when the log does not reach back so far or the version is none yet. */
export async function valuesAt(
  { run }: Pick<CatalogueConnection, 'run'>,
  version: number,
): Promise<readonly ObjectValue[] | null> {
  const { state, rows } = splitState(await run(valuesStatement, [version]))
  if (version < state.historySince || version > state.resourceVersion) return null
  return rows.map(([address, old]) => [
    address ?? '',
    typeof old === 'string' ? (parseExactly(old) as JsonObject | null) : null,
  ])
}

import { isRecord, type Json } from '@svc/schema'
import { parseExactly } from '../../exact-json/index.ts'
import { type CatalogueConnection, repeatable, type TextRow } from './connection.ts'
import { splitState } from './load-document.ts'
import type { MetadataChanges } from './metadata-store.ts'
import { withOwners } from './owner-columns.ts'
import { redactValue } from './redact-value.ts'

/** The state, and the log after version $1 as far as row $2 in whole versions, the next one in any case. */
const sinceStatement = repeatable('svc_changes_since')`
    WITH cut AS (
      SELECT
        (SELECT resource_version FROM svc_catalog.change_log WHERE resource_version > $1
          ORDER BY resource_version, position LIMIT 1) AS next,
        (SELECT resource_version FROM svc_catalog.change_log WHERE resource_version > $1
          ORDER BY resource_version, position OFFSET $2 LIMIT 1) AS beyond
    )
    SELECT v.svc_uuid::text, m.resource_version::text, m.history_since::text, m.reloads::text,
           (SELECT beyond IS NOT NULL FROM cut)::text, NULL, NULL, NULL, NULL, NULL, NULL
      FROM svc_catalog.metadata m CROSS JOIN svc_catalog.svc_version v
    UNION ALL
    (SELECT resource_version::text, position::text, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), NULL,
            operation, change, object::text, old::text, new::text, author::text, owned_by
      FROM ${withOwners('change_log')} CROSS JOIN cut
      WHERE resource_version > $1
        AND (cut.beyond IS NULL OR resource_version < cut.beyond OR resource_version = cut.next))`

/** get_metadata_changes (docs/metadata-api.md#what-changed). The caller has checked the bounds of its arguments. */
export async function changesSince(
  connection: CatalogueConnection,
  args: { readonly sinceResourceVersion: number; readonly catalogId: string | null; readonly limit: number },
): Promise<MetadataChanges> {
  const answer = await connection.run(sinceStatement, [args.sinceResourceVersion, args.limit])
  const { state, rows } = splitState(answer)
  const incomplete = (reason: NonNullable<MetadataChanges['reason']>): MetadataChanges => ({
    catalog_id: state.catalogId,
    resource_version: state.resourceVersion,
    complete: false,
    reason,
    more: false,
    changes: [],
  })
  if (args.catalogId !== null && args.catalogId !== state.catalogId) return incomplete('other-catalog')
  if (args.sinceResourceVersion > state.resourceVersion) return incomplete('unknown-version')
  if (args.sinceResourceVersion < state.historySince) return incomplete('history-expired')
  const ordered = rows.toSorted((a, b) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1]))
  const last = Number(ordered.at(-1)?.[0])
  return {
    catalog_id: state.catalogId,
    resource_version: state.resourceVersion,
    complete: true,
    more: answer.some((row) => row[3] !== null && row[4] === 'true') && last < state.resourceVersion,
    changes: ordered.map(changeOf),
  }
}

const parse = (text: string | null | undefined): Json =>
  text === null || text === undefined ? null : (parseExactly(text) as Json)

function changeOf([version, , at, , operation, change, name, old, now, author, owner]: TextRow) {
  const object = parse(name)
  // rows of earlier versions were stored as they were
  const type = isRecord(object) && typeof object.type === 'string' ? object.type : ''
  return {
    resource_version: Number(version),
    at,
    operation,
    change,
    object,
    old: redactValue(type, parse(old)),
    new: redactValue(type, parse(now)),
    by: parse(author),
    ...(typeof owner === 'string' && { owner }),
  }
}

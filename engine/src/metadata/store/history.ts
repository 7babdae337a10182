import { isRecord, type Json, type JsonObject } from '@svc/schema'
import { parseExactly } from '../../exact-json/index.ts'
import { type CatalogueConnection, once, repeatable, type TextRow } from './connection.ts'
import { type CatalogueState, selectState, splitState } from './load-document.ts'
import { withOwners } from './owner-columns.ts'
import { redactValue } from './redact-value.ts'
import type { ObjectValue } from './with-values.ts'

/** Names of objects by the texts of their addresses. */
export type ChangedObjects = ReadonlyMap<string, string>

interface MetadataChanges {
  readonly catalog_id: string
  readonly resource_version: number
  readonly complete: boolean
  readonly reason?: 'history-expired' | 'other-catalog' | 'unknown-version'
  readonly more: boolean
  readonly changes: readonly unknown[]
}

/** What the change log says of former versions. */
export interface MetadataHistory {
  /** The answer of get_metadata_changes (docs/metadata-api.md#what-changed), whose arguments have been checked. */
  changesSince(args: {
    readonly sinceResourceVersion: number
    readonly catalogId: string | null
    readonly limit: number
  }): Promise<MetadataChanges>
  /** What was changed after a version; null when the log does not reach back so far or the version is none yet. */
  changedAfter(version: number): Promise<ChangedObjects | null>
  /** What the objects changed since a version were then; null when the log does not reach back so far or the version is none yet. */
  valuesAt(version: number): Promise<readonly ObjectValue[] | null>
}

/** The state, and the log after version $1 as far as row $2 in whole versions, the next one in any case. */
const changesStatement = repeatable('svc_changes_since')`
    WITH cut AS (
      SELECT
        (SELECT resource_version FROM svc_catalog.change_log WHERE resource_version > $1
          ORDER BY resource_version, position LIMIT 1) AS next,
        (SELECT resource_version FROM svc_catalog.change_log WHERE resource_version > $1
          ORDER BY resource_version, position OFFSET $2 LIMIT 1) AS beyond
    )
    ${selectState(', (SELECT beyond IS NOT NULL FROM cut)::text, NULL, NULL, NULL, NULL, NULL, NULL')}
    UNION ALL
    (SELECT resource_version::text, position::text, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), NULL,
            operation, change, object::text, old::text, new::text, author::text, owned_by
      FROM ${withOwners('change_log')} CROSS JOIN cut
      WHERE resource_version > $1
        AND (cut.beyond IS NULL OR resource_version < cut.beyond OR resource_version = cut.next))`

/** The state, and the objects that the log reports after version $1. */
const objectsStatement = repeatable('svc_changed_after')`
    ${selectState()}
    UNION ALL
    (SELECT DISTINCT address, object->>'name', NULL, NULL FROM svc_catalog.change_log WHERE resource_version > $1)`

/** The state, and of each object that was changed after version $1 what the first of these changes replaced. */
const valuesStatement = repeatable('svc_values_at')`
    ${selectState()}
    UNION ALL
    (SELECT DISTINCT ON (address) address, old::text, NULL, NULL FROM svc_catalog.change_log
      WHERE resource_version > $1 ORDER BY address, resource_version, position)`

export const metadataHistory = ({ run }: Pick<CatalogueConnection, 'run'>): MetadataHistory => ({
  async changesSince({ sinceResourceVersion: since, catalogId, limit }) {
    const answer = await run(changesStatement, [since, limit])
    const { state, rows } = splitState(answer)
    const of = { catalog_id: state.catalogId, resource_version: state.resourceVersion }
    const reason = whyIncomplete(state, since, catalogId)
    if (reason) return { ...of, complete: false, reason, more: false, changes: [] }
    const ordered = rows.toSorted((a, b) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1]))
    const last = Number(ordered.at(-1)?.[0])
    const more = answer.some((row) => row[3] !== null && row[4] === 'true') && last < state.resourceVersion
    return { ...of, complete: true, more, changes: ordered.map(changeOf) }
  },
  async changedAfter(version) {
    const { state, rows } = splitState(await run(objectsStatement, [version]))
    if (whyIncomplete(state, version)) return null
    return new Map(rows.map(([address, name]) => [address ?? '', name ?? '']))
  },
  async valuesAt(version) {
    const { state, rows } = splitState(await run(valuesStatement, [version]))
    if (whyIncomplete(state, version)) return null
    return rows.map(([address, old]) => [address ?? '', parsed(old) as JsonObject | null])
  },
})

function whyIncomplete(
  state: CatalogueState,
  version: number,
  catalogId: string | null = null,
): MetadataChanges['reason'] {
  if (catalogId !== null && catalogId !== state.catalogId) return 'other-catalog'
  if (version > state.resourceVersion) return 'unknown-version'
  return version < state.historySince ? 'history-expired' : undefined
}

const parsed = (text: string | null | undefined): Json =>
  text === null || text === undefined ? null : (parseExactly(text) as Json)

function changeOf([version, , at, , operation, change, name, old, now, author, owner]: TextRow) {
  const object = parsed(name)
  // rows of earlier versions were stored as they were
  const type = isRecord(object) && typeof object.type === 'string' ? object.type : ''
  return {
    resource_version: Number(version),
    at,
    operation,
    change,
    object,
    old: redactValue(type, parsed(old)),
    new: redactValue(type, parsed(now)),
    by: parsed(author),
    ...(typeof owner === 'string' && { owner }),
  }
}

/** Whole versions go, oldest first, until at most $1 rows are left; history_since moves along in the same transaction. */
const pruneStatement = once('svc_prune')`
    WITH beyond AS (
      SELECT resource_version FROM svc_catalog.change_log
      ORDER BY resource_version DESC, position DESC OFFSET $1 LIMIT 1
    ), pruned AS (
      DELETE FROM svc_catalog.change_log l USING beyond b WHERE l.resource_version <= b.resource_version
    )
    UPDATE svc_catalog.metadata m SET history_since = greatest(m.history_since, b.resource_version)
    FROM beyond b WHERE m.id = 1`

/** Counts rows this instance wrote, and prunes after a hundredth of the bound. */
export function logPruner(connection: CatalogueConnection, bound: number) {
  const every = Math.max(1, Math.floor(bound / 100))
  let written = 0
  let running: Promise<void> = Promise.resolve()
  return {
    wrote(rows: number): void {
      written += rows
      if (written < every) return
      written = 0
      running = running.then(async () => {
        // a log that is too long harms no one; the next time will do
        await connection.run(pruneStatement, [bound]).catch(() => {})
      })
    },
    /** For a close in good order. */
    idle: () => running,
  }
}

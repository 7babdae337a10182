import type { CatalogueConnection, CatalogueStatement } from './connection.ts'
import { type CatalogueState, loadDocument, readObject, splitState } from './load-document.ts'
import type { Versioned } from './metadata-store.ts'
import { type ObjectValue, withValues } from './with-values.ts'

/** The state, then objects changed since a version, then those deleted since (value NULL) and not there again. */
const changedStatement: CatalogueStatement = {
  name: 'svc_changed',
  repeatable: true,
  text: `
    SELECT v.svc_uuid::text, m.resource_version::text, m.history_since::text, m.reloads::text
      FROM svc_catalog.metadata m CROSS JOIN svc_catalog.svc_version v
    UNION ALL
    (SELECT address, type, value::text, NULL FROM svc_catalog.metadata_object WHERE changed > $1)
    UNION ALL
    (SELECT DISTINCT l.address, l.type, NULL, NULL FROM svc_catalog.change_log l
      WHERE l.resource_version > $1 AND l.change = 'delete'
        AND NOT EXISTS (SELECT FROM svc_catalog.metadata_object o WHERE o.address = l.address))`,
}

/**
 * The document as it is now, from one of an earlier version and the rows changed since; read whole when the log does
 * not reach that far, or when the catalogue is another one (`catalogId` is the one that `from` was read from).
 */
export async function catchUp(
  connection: CatalogueConnection,
  from: Versioned,
  catalogId: string,
): Promise<{ readonly state: CatalogueState; readonly now: Versioned }> {
  const { state, rows } = splitState(await connection.run(changedStatement, [from.resourceVersion]))
  const reaches =
    state.catalogId === catalogId &&
    state.historySince <= from.resourceVersion &&
    from.resourceVersion <= state.resourceVersion
  if (!reaches) {
    const { state: fresh, loaded } = await loadDocument(connection)
    return { state: fresh, now: loaded }
  }
  if (state.resourceVersion === from.resourceVersion) return { state, now: from }
  const values = rows.map((row): ObjectValue => [row[0] ?? '', row[2] === null ? null : readObject(row).value])
  const document = withValues(from.document, values)
  return { state, now: { document, resourceVersion: state.resourceVersion } }
}

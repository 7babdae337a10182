import { equalJson, findObject, type JsonObject, type MetadataDocument } from '@svc/schema'
import { type LongWork, Stretches } from '../../long-work.ts'
import { type CatalogueConnection, repeatable, type TextRow } from './connection.ts'
import {
  type CatalogueState,
  loadDocument,
  readObject,
  selectState,
  splitState,
  type Versioned,
} from './load-document.ts'
import { type OwnerOfObject, withOwners } from './owner-columns.ts'
import { parseAddress } from './parse-address.ts'
import { type ObjectValue, withValues } from './with-values.ts'

/** The state, then objects changed since a version, then those deleted since (value NULL) and not there again. */
const changedStatement = repeatable('svc_changed')`
    ${selectState(', NULL')}
    UNION ALL
    (SELECT address, type, value::text, NULL, owned_by FROM ${withOwners('metadata_object')} WHERE changed > $1)
    UNION ALL
    (SELECT DISTINCT l.address, l.type, NULL, NULL, NULL FROM svc_catalog.change_log l
      WHERE l.resource_version > $1 AND l.change = 'delete'
        AND NOT EXISTS (SELECT FROM svc_catalog.metadata_object o WHERE o.address = l.address))`

interface CaughtUp {
  readonly state: CatalogueState
  readonly now: Versioned
  readonly owners: readonly OwnerOfObject[]
  /** Whether `owners` are all that there are, or those of changed objects. */
  readonly isWhole: boolean
}

const isSame = (document: MetadataDocument, address: string, value: JsonObject): boolean => {
  const known = findObject(document, parseAddress(address))
  return known !== undefined && equalJson(known.value, value)
}

/** What differs from the document, in pieces: an object that has only changed hands is not built again. */
function* changedValues(rows: readonly TextRow[], document: MetadataDocument): LongWork<readonly ObjectValue[]> {
  const changed: ObjectValue[] = []
  for (const row of rows) {
    const [address] = row
    const value = row[2] === null ? null : readObject(row).value
    if (value === null || !isSame(document, address ?? '', value)) changed.push([address ?? '', value])
    yield 1
  }
  return changed
}

/**
 * The document as it is now, from one of an earlier version and the rows changed since; read whole when the log does
 * not reach that far, or when the catalogue is another one (`catalogId` is the one that `from` was read from).
 */
export async function catchUp(connection: CatalogueConnection, from: Versioned, catalogId: string): Promise<CaughtUp> {
  const { state, rows } = splitState(await connection.run(changedStatement, [from.resourceVersion]))
  const reaches =
    state.catalogId === catalogId &&
    state.historySince <= from.resourceVersion &&
    from.resourceVersion <= state.resourceVersion
  if (!reaches) {
    const { state: fresh, loaded, owners } = await loadDocument(connection)
    return { state: fresh, now: loaded, owners, isWhole: true }
  }
  if (state.resourceVersion === from.resourceVersion) return { state, now: from, owners: [], isWhole: false }
  const owners = rows.map((row): OwnerOfObject => [row[0] ?? '', row[4] ?? null])
  const stretches = new Stretches()
  const document = withValues(from.document, await stretches.run(changedValues(rows, from.document)))
  return { state, now: { document, resourceVersion: state.resourceVersion }, owners, isWhole: false }
}

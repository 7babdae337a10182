import {
  findObject,
  type JsonObject,
  type MetadataDocument,
  type ObjectAddress,
  removeObject,
  setValue,
} from '@svc/schema'
import { parseExactly } from '../../exact-json/index.ts'
import { type CatalogueConnection, repeatable } from './connection.ts'
import { type OwnerOfObject, withOwners } from './owner-columns.ts'
import { parseAddress } from './parse-address.ts'

/**
 * A version of metadata that is stored before transactions on sources commit, on whose outcome it depends. Stored until
 * that is known: an engine that is killed in between leaves it to the next start.
 */
export interface PendingSourceChange {
  readonly resourceVersion: number
  readonly transactions: readonly SourceTransaction[]
  /** Of the request, which the log names as the author of that version. Clients may use one for several requests. */
  readonly requestId: string
}

export interface SourceTransaction {
  readonly source: string
  /** The source's own name of the transaction: digits. */
  readonly transaction: string
}

/** Columns of an entry; NULLs where there is none. */
export function pendingColumns(pending: PendingSourceChange | null): readonly (string | null)[] {
  const [first, ...others] = pending?.transactions ?? []
  if (!pending || !first) return [null, null, null]
  // several stand in the column of one, which older versions of the engine read
  const transaction = others.length === 0 ? first.transaction : JSON.stringify(pending.transactions)
  return [keyOf(pending), first.source, transaction]
}

/** One for each version: the entry of another request of the same id must remain. */
const keyOf = ({ requestId, resourceVersion }: Pick<PendingSourceChange, 'requestId' | 'resourceVersion'>): string =>
  `${resourceVersion} ${requestId}`

/** Stores an entry of a version with it: `of` has the columns of `pendingColumns` and the version. */
export const insertPending = (of: string): string => `
  INSERT INTO svc_catalog.pending_source_change (request_id, source, transaction, resource_version) ${of}
  ON CONFLICT (request_id) DO UPDATE SET
    resource_version = excluded.resource_version, source = excluded.source, transaction = excluded.transaction`

/** Older versions of the engine have written only the request's id, and early changes are known by their keys. */
const forgetStatement = repeatable('svc_forget_source_change')`
    DELETE FROM svc_catalog.pending_source_change
    WHERE request_id IN ($1::text, $3::text) AND resource_version = $2::text::bigint`

const listStatement = repeatable('svc_pending_source_changes')`
    SELECT request_id, resource_version::text, source, transaction FROM svc_catalog.pending_source_change
    WHERE transaction NOT LIKE '{%'
    ORDER BY resource_version`

/** Of a version, if that request made it: in the order of the log. */
const loggedStatement = repeatable('svc_logged_by_request')`
    SELECT address, change, old::text, owned_by FROM ${withOwners('change_log')}
    WHERE resource_version = $1::text::bigint AND author->>'request_id' = $2::text ORDER BY position`

export async function forgetSourceChange(
  connection: CatalogueConnection,
  { requestId, resourceVersion }: Pick<PendingSourceChange, 'requestId' | 'resourceVersion'>,
): Promise<void> {
  await connection.run(forgetStatement, [requestId, String(resourceVersion), keyOf({ requestId, resourceVersion })])
}

export async function pendingSourceChanges(connection: CatalogueConnection): Promise<readonly PendingSourceChange[]> {
  const rows = await connection.run(listStatement)
  return rows.map(([key, version, source, transaction]) => ({
    requestId: key?.startsWith(`${version} `) ? key.slice(`${version} `.length) : (key ?? ''),
    resourceVersion: Number(version),
    transactions: transaction?.startsWith('[')
      ? (JSON.parse(transaction) as readonly SourceTransaction[])
      : [{ source: source ?? '', transaction: transaction ?? '' }],
  }))
}

/** The document as it was before the change, and the owners of the objects that are restored; null if that version is not the request's. */
export async function withoutChange(
  connection: CatalogueConnection,
  document: MetadataDocument,
  { resourceVersion, requestId }: PendingSourceChange,
): Promise<{ readonly document: MetadataDocument; readonly released: readonly OwnerOfObject[] } | null> {
  const rows = await connection.run(loggedStatement, [String(resourceVersion), requestId])
  if (rows.length === 0) return null
  const changes = rows.map(([address, change, old]) => ({
    at: parseAddress(address ?? ''),
    change,
    old: old === null || old === undefined ? null : (parseExactly(old) as JsonObject),
  }))
  const isThere = (rest: MetadataDocument, at: ObjectAddress) => findObject(rest, at) !== undefined
  // parents stand before children in the log: what is put back needs them, what is removed takes children along
  const emptied = changes
    .filter(({ change }) => change === 'create')
    .reduce((rest, { at }) => (isThere(rest, at) ? removeObject(rest, at) : rest), document)
  const before = changes.reduce((rest, { at, old }) => {
    if (!old || (at.parent && !isThere(rest, at.parent))) return rest
    return setValue(rest, at, old)
  }, emptied)
  const released = rows.map(([address, , , owner]): OwnerOfObject => [address ?? '', owner ?? null])
  return { document: before, released }
}

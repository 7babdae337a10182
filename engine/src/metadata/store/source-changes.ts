import { randomUUID } from 'node:crypto'
import {
  findObject,
  type JsonObject,
  type MetadataDocument,
  type ObjectAddress,
  removeObject,
  setValue,
} from '@svc/schema'
import { parseExactly } from '../../exact-json/index.ts'
import { catalogueError } from './catalogue-error.ts'
import { type CatalogueConnection, once, repeatable } from './connection.ts'
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

/**
 * What a request has made of databases before it is stored (docs/architecture.md, "A change with an effect on a
 * source"). Stored until the request is over: of an engine that is killed in between, another one finds it.
 */
export interface EarlySourceChange {
  readonly key: string
  readonly parts: readonly EarlyPart[]
}

export interface EarlyPart extends SourceTransaction {
  /** What of metadata was made there, changed or removed. */
  readonly objects: readonly { readonly type: string; readonly name: string }[]
  /** Of a source that the stored metadata does not have like this: what the request has added, renamed or pointed elsewhere. */
  readonly definition?: { readonly kind: string; readonly configuration: JsonObject }
}

/** Shows other engines that the request is still in progress, for as long as this process lives. */
export interface EarlyHold {
  readonly key: string
  /** False where the connection was lost: other engines may have reverted the databases meanwhile. */
  isHeld(): Promise<boolean>
  /** Never rejects. */
  release(): Promise<void>
}

/** Changes of databases whose entries in the catalogue say what another engine has to finish or take back. */
export interface SourceChanges {
  /** Called once it is known how a change ended: a commit's `pending`, or an early one by its key, of version 0. */
  forget(change: Pick<PendingSourceChange, 'requestId' | 'resourceVersion'>): Promise<void>
  pending(): Promise<readonly PendingSourceChange[]>
  /** Begins a request that makes something of databases before it is stored. Throws ApiError postgres-error 500. */
  holdEarly(): Promise<EarlyHold>
  /** Says that it is about to; `forget` with its key once it is over. */
  expectEarly(change: EarlySourceChange): Promise<void>
  /** Of engines that were killed, or lost the catalogue. */
  abandonedEarly(): Promise<readonly EarlySourceChange[]>
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

/** Any number: locks of this class are those of early changes. */
const lockClass = 723_628_375

/** An entry among those of versions, where older engines ignore what they cannot read. */
const expectStatement = once('svc_expect_early_change')`
    INSERT INTO svc_catalog.pending_source_change (request_id, resource_version, source, transaction)
    VALUES ($1::text, 0, $2::text, $3::text)
    ON CONFLICT (request_id) DO UPDATE SET transaction = excluded.transaction`

/** Those whose requests are over: their locks are released. */
const abandonedStatement = repeatable('svc_abandoned_early_changes')`
    SELECT request_id, transaction FROM svc_catalog.pending_source_change
    WHERE transaction LIKE '{%' AND pg_try_advisory_xact_lock(${lockClass}, hashtext(request_id))
    ORDER BY at`

export function sourceChanges({ run, connect }: CatalogueConnection): SourceChanges {
  return {
    forget: async ({ requestId, resourceVersion }) =>
      void (await run(forgetStatement, [requestId, String(resourceVersion), keyOf({ requestId, resourceVersion })])),
    pending: async () =>
      (await run(listStatement)).map(([key, version, source, transaction]) => ({
        requestId: key?.startsWith(`${version} `) ? key.slice(`${version} `.length) : (key ?? ''),
        resourceVersion: Number(version),
        transactions: transaction?.startsWith('[')
          ? (JSON.parse(transaction) as readonly SourceTransaction[])
          : [{ source: source ?? '', transaction: transaction ?? '' }],
      })),
    holdEarly: () =>
      holdEarly(connect).catch((error: unknown) => {
        throw catalogueError(error)
      }),
    expectEarly: async ({ key, parts }) =>
      void (await run(expectStatement, [key, parts[0]?.source ?? '', JSON.stringify({ early: parts })])),
    abandonedEarly: async () =>
      (await run(abandonedStatement)).map(([key, text]) => {
        const { early } = JSON.parse(text ?? '') as { readonly early: readonly EarlyPart[] }
        return { key: key ?? '', parts: early }
      }),
  }
}

/**
 * Takes a lock of a transaction, not of a session, so that a pooler keeps its connection. It reads nothing, so it delays
 * nothing else.
 */
async function holdEarly(connect: CatalogueConnection['connect']): Promise<EarlyHold> {
  const key = `early ${randomUUID()}`
  const client = await connect()
  const release = () => client.end().catch(() => {})
  try {
    await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0')
    await client.query(`SELECT pg_advisory_xact_lock(${lockClass}, hashtext($1::text))`, [key])
  } catch (error) {
    await release()
    throw error
  }
  const isHeld = () =>
    client.query({ text: 'SELECT', query_timeout: 10_000 } as { text: string }).then(
      () => true,
      () => false,
    )
  return { key, isHeld, release }
}

/** Of a version, if that request made it: in the order of the log. */
const loggedStatement = repeatable('svc_logged_by_request')`
    SELECT address, change, old::text, owned_by FROM ${withOwners('change_log')}
    WHERE resource_version = $1::text::bigint AND author->>'request_id' = $2::text ORDER BY position`

/** The document as it was before the change, and the owners of the objects that are restored; null if that version is not the request's. */
export async function withoutChange(
  { run }: Pick<CatalogueConnection, 'run'>,
  document: MetadataDocument,
  { resourceVersion, requestId }: PendingSourceChange,
): Promise<{ readonly document: MetadataDocument; readonly released: readonly OwnerOfObject[] } | null> {
  const rows = await run(loggedStatement, [String(resourceVersion), requestId])
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

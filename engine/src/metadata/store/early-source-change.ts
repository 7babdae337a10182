import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@svc/schema'
import { catalogueError } from './catalogue-error.ts'
import { type CatalogueConnection, once, repeatable } from './connection.ts'
import type { SourceTransaction } from './pending-source-change.ts'

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

/**
 * A lock of a transaction, not of a session, so that a pooler keeps its connection. It reads nothing, so it delays
 * nothing else. Throws ApiError postgres-error 500.
 */
export async function holdEarlyChange(connection: CatalogueConnection): Promise<EarlyHold> {
  const key = `early ${randomUUID()}`
  try {
    const client = await connection.connect()
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
  } catch (error) {
    throw catalogueError(error)
  }
}

export async function expectEarlyChange(
  connection: CatalogueConnection,
  { key, parts }: EarlySourceChange,
): Promise<void> {
  await connection.run(expectStatement, [key, parts[0]?.source ?? '', JSON.stringify({ early: parts })])
}

export async function abandonedEarlyChanges(connection: CatalogueConnection): Promise<readonly EarlySourceChange[]> {
  const rows = await connection.run(abandonedStatement)
  return rows.map(([key, text]) => {
    const { early } = JSON.parse(text ?? '') as { readonly early: readonly EarlyPart[] }
    return { key: key ?? '', parts: early }
  })
}

import { addressText, keyedObject, objectName } from '@svc/schema'
import { ApiError } from '../../errors.ts'
import { Stretches } from '../../long-work.ts'
import { type AuditRow, auditColumns, insertAudited } from './audit-log.ts'
import { catalogueError, isConnectionError, NotConnected } from './catalogue-error.ts'
import { type CatalogueConnection, notifyText, once } from './connection.ts'
import type { Author, Commit } from './metadata-store.ts'
import type { OwnersAfter } from './object-owners.ts'
import { redactValue } from './redact-value.ts'
import { insertPending, pendingColumns } from './source-changes.ts'

/**
 * SQL of `changes`, the rows of a commit, and of what they do to the objects and the log. $2 to $10: a list per column;
 * $11: the author; `first`: how many changes came before; `version`: the SQL of their version, which `from` may have.
 * Lists of texts rather than one JSON document: parsing that refuses \u0000 in a user's values.
 */
const changesText = (version: string, from: string, first: string): string => `
    changes AS MATERIALIZED (
      SELECT ${version} AS resource_version, c.*
      FROM ${from} unnest(
        $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]::json[], $7::text[]::json[], $8::text[]::json[],
        $9::text[]::json[], $10::text[]
      ) WITH ORDINALITY AS c (operation, change, address, type, object, old, new, logged, owner, position)
    ), removed AS (
      DELETE FROM svc_catalog.metadata_object o USING changes c WHERE c.change = 'delete' AND o.address = c.address
    ), written AS (
      INSERT INTO svc_catalog.metadata_object (address, type, value, changed, owner)
      SELECT address, type, new, resource_version, owner FROM changes WHERE change <> 'delete'
      ON CONFLICT (address) DO UPDATE SET
        value = excluded.value, changed = excluded.changed, owner = excluded.owner
    ), logged AS (
      INSERT INTO svc_catalog.change_log
        (resource_version, position, operation, change, address, type, object, old, new, author, owner)
      SELECT resource_version, position + ${first}, operation, change, address, type, object, old, coalesce(logged, new),
        $11::json, owner
      FROM changes
    )`

/**
 * Compares and sets in one statement, which is its own transaction and one round trip: nothing happens unless the
 * version is still $1. $12: the notification; $13: actions whose log is deleted; $14 to $16: the source's transaction that
 * it stands or falls with; `more`: what is stored along. A second writer waits for the first one's row lock, then finds
 * another version.
 */
const commitText = (more: string): string => `
    WITH bumped AS (${bumpText}), ${changesText('b.resource_version', 'bumped b CROSS JOIN', '0')}, cleared AS (
      DELETE FROM svc_catalog.svc_action_log l USING bumped WHERE l.action_name = ANY($13::text[])
    ), expected AS (
      ${insertPending('SELECT $14::text, $15::text, $16::text, resource_version FROM bumped WHERE $14::text IS NOT NULL')}
    )${more}
    SELECT resource_version::text, ${notifyText('$12')} FROM bumped`

const bumpText = `
  UPDATE svc_catalog.metadata SET resource_version = resource_version + 1 WHERE id = 1 AND resource_version = $1
  RETURNING resource_version`

const commitStatement = once('svc_commit')`${commitText('')}`

/** $17, $18: the entry of the audit log, which costs neither a transaction nor a round trip of its own. */
const auditedCommitStatement = once('svc_commit_audited')`${commitText(`, audited AS (
      ${insertAudited('SELECT $17::text::boolean, $18::text::json FROM bumped')}
    )`)}`

/**
 * Changes that are stored with one statement; of more some hundred at a time are, so that no other request waits for
 * it.
 */
const mostAtOnce = 500

export interface StoredVersion {
  readonly resourceVersion: number
  /** What the audit log has of it already. */
  readonly audited: AuditRow | null
}

/**
 * Null: another client was first. The entry of the audit log is stored with the version, all or nothing; where the database
 * refuses both together the version is stored alone, so that a log in disorder stops no change.
 */
export async function commitChanges(
  connection: CatalogueConnection,
  commit: Commit,
  instance: string,
  audited: AuditRow | null,
  owners: OwnersAfter,
): Promise<StoredVersion | null> {
  const storing = { connection, commit, owners, notification: JSON.stringify({ instance, kind: 'version' }) }
  const store = commit.changes.length > mostAtOnce ? commitInParts : commitAtOnce
  const storeWith = async (row: AuditRow | null): Promise<StoredVersion | null> => {
    const resourceVersion = await store(storing, row)
    return resourceVersion === null ? null : { resourceVersion, audited: row }
  }
  try {
    return await storeWith(audited)
  } catch (error) {
    // whether it is stored is known only where the database said so
    if (audited === null || !(error instanceof ApiError) || isConnectionError(error.cause)) throw error
    return storeWith(null)
  }
}

interface Storing {
  readonly connection: CatalogueConnection
  readonly commit: Commit
  readonly owners: OwnersAfter
  readonly notification: string
}

async function commitAtOnce(storing: Storing, audited: AuditRow | null): Promise<number | null> {
  const { connection, commit, notification } = storing
  const [row] = await connection.run(audited ? auditedCommitStatement : commitStatement, [
    commit.base,
    ...changeColumns(storing, commit.changes),
    notification,
    commit.clearsActionLogs ?? [],
    ...pendingColumns(commit.pending ?? null),
    ...(audited ? auditColumns(audited) : []),
  ])
  return row ? Number(row[0]) : null
}

/** The same, in a transaction of its own on a connection of its own. */
async function commitInParts(storing: Storing, audited: AuditRow | null): Promise<number | null> {
  const { connection, commit, notification } = storing
  const client = await connection.connect().catch((cause: unknown) => {
    throw catalogueError(new NotConnected('no connection to the metadata database', { cause }))
  })
  try {
    await client.query('BEGIN')
    const bumped = await client.query<{ resource_version: string }>(bumpText, [commit.base])
    const version = bumped.rows[0]?.resource_version
    if (version === undefined) {
      await client.query('ROLLBACK')
      return null
    }
    const stretches = new Stretches()
    for (let from = 0; from < commit.changes.length; from += part) {
      await stretches.yield()
      const columns = changeColumns(storing, commit.changes.slice(from, from + part))
      await client.query(partText, [version, ...columns, from])
    }
    if (commit.pending) await client.query(pendingText, [...pendingColumns(commit.pending), version])
    if (audited) await client.query(auditedText, [...auditColumns(audited)])
    await client.query(endText, [commit.clearsActionLogs ?? [], notification])
    await client.query('COMMIT')
    return Number(version)
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw catalogueError(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Changes in one of its statements: some 2 ms. */
const part = 100

/** $1: the version; $12: how many changes came before. */
const partText = `WITH ${changesText('$1::bigint', '', '$12::int')} SELECT`

const auditedText = insertAudited('VALUES ($1::text::boolean, $2::text::json)')

const pendingText = insertPending('VALUES ($1::text, $2::text, $3::text, $4::bigint)')

const endText = `
  WITH cleared AS (DELETE FROM svc_catalog.svc_action_log WHERE action_name = ANY($1::text[]))
  SELECT ${notifyText('$2')}`

/** Values of a change in the order of `changesText`. */
type ChangeRow = readonly [
  operation: string,
  change: string,
  address: string,
  type: string,
  /** JSON texts, as the next three. */
  object: string,
  old: string | null,
  now: string | null,
  /** What the log gets in place of the new value; null: the same. */
  logged: string | null,
  /** Of what is deleted: whose it was. */
  owner: string | null,
]

/** $2 to $11. */
function changeColumns({ commit, owners }: Storing, changes: Commit['changes']) {
  const rows = changes.map((change) => rowOf(commit, change, owners))
  const columns = rows[0]?.map((_, i) => rows.map((row) => row[i] ?? null)) ?? []
  return [...columns, JSON.stringify(authorJson(commit.author))]
}

function rowOf(
  { before, after }: Commit,
  { change, address, old, new: now, operation }: Commit['changes'][number],
  owners: OwnersAfter,
): ChangeRow {
  const at = addressText(address)
  const shown = now && redactValue(address.type, now.value)
  return [
    operation,
    change,
    at,
    address.type,
    JSON.stringify(objectName(keyedObject(change === 'delete' ? before : after, address))),
    old && JSON.stringify(redactValue(address.type, old.value)),
    now && JSON.stringify(now.value),
    now && shown !== now.value ? JSON.stringify(shown) : null,
    owners(at, now),
  ]
}

/** `by` of docs/metadata-api.md#what-changed. */
function authorJson({ role, actor, owner, userAgent, requestId, sessionVariables }: Author) {
  return {
    role,
    actor,
    ...(owner !== null && { owner }),
    user_agent: userAgent,
    request_id: requestId,
    session_variables: sessionVariables,
  }
}

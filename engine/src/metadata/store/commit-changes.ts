import { addressText, keyedObject, objectName } from '@svc/schema'
import { ApiError } from '../../errors.ts'
import { Stretches } from '../../long-work.ts'
import { type AuditRow, auditColumns, insertAudited } from './audit-log.ts'
import { catalogueError, isConnectionError, NotConnected } from './catalogue-error.ts'
import { type CatalogueConnection, notifyText, once } from './connection.ts'
import type { Author, Commit } from './metadata-store.ts'
import type { OwnersAfter } from './object-owners.ts'
import { insertPending, pendingColumns } from './pending-source-change.ts'
import { redactValue } from './redact-value.ts'

/**
 * Compares and sets in one statement, which is its own transaction and one round trip: nothing happens unless the
 * version is still $1. $2 to $8, $11: the changes, a list per column; $9: the author; $10: the notification; $12: actions
 * whose log goes; $13 to $15: the source's transaction that it stands or falls with; $16: the objects' owners; `more`:
 * what is stored along.
 * A second writer waits for the first one's row lock, then finds another version.
 * Lists of texts rather than one JSON document: parsing that refuses \u0000 in a user's values.
 */
const commitText = (more: string): string => `
    WITH bumped AS (
      UPDATE svc_catalog.metadata SET resource_version = resource_version + 1 WHERE id = 1 AND resource_version = $1
      RETURNING resource_version
    ), changes AS MATERIALIZED (
      SELECT b.resource_version, c.*
      FROM bumped b CROSS JOIN unnest(
        $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]::json[], $7::text[]::json[], $8::text[]::json[],
        $11::text[]::json[], $16::text[]
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
      SELECT resource_version, position, operation, change, address, type, object, old, coalesce(logged, new), $9::json,
        owner
      FROM changes
    ), cleared AS (
      DELETE FROM svc_catalog.svc_action_log l USING bumped WHERE l.action_name = ANY($12::text[])
    ), expected AS (
      ${insertPending('SELECT $13::text, $14::text, $15::text, resource_version FROM bumped WHERE $13::text IS NOT NULL')}
    )${more}
    SELECT resource_version::text, ${notifyText('$10')} FROM bumped`

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
  const news = JSON.stringify({ instance, kind: 'version' })
  const store = commit.changes.length > mostAtOnce ? commitInParts : commitAtOnce
  const storeWith = async (row: AuditRow | null): Promise<StoredVersion | null> => {
    const resourceVersion = await store(connection, commit, news, row, owners)
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

async function commitAtOnce(
  connection: CatalogueConnection,
  commit: Commit,
  news: string,
  audited: AuditRow | null,
  owners: OwnersAfter,
): Promise<number | null> {
  const rows = commit.changes.map((change) => rowOf(commit, change, owners))
  const column = (key: keyof LogRow) => rows.map((row) => row[key])
  const [row] = await connection.run(audited ? auditedCommitStatement : commitStatement, [
    commit.base,
    column('operation'),
    column('change'),
    column('address'),
    column('type'),
    column('object'),
    column('old'),
    column('new'),
    JSON.stringify(authorJson(commit.author)),
    news,
    column('logged'),
    commit.clearsActionLogs ?? [],
    ...pendingColumns(commit.pending ?? null),
    column('owner'),
    ...(audited ? auditColumns(audited) : []),
  ])
  return row ? Number(row[0]) : null
}

/** The same, in a transaction of its own on a connection of its own. */
async function commitInParts(
  connection: CatalogueConnection,
  commit: Commit,
  news: string,
  audited: AuditRow | null,
  owners: OwnersAfter,
): Promise<number | null> {
  const client = await connection.connect().catch((cause: unknown) => {
    throw catalogueError(new NotConnected('no connection to the metadata database', { cause }))
  })
  try {
    await client.query('BEGIN')
    const bumped = await client.query<{ version: string }>(bumpText, [commit.base])
    const version = bumped.rows[0]?.version
    if (version === undefined) {
      await client.query('ROLLBACK')
      return null
    }
    const author = JSON.stringify(authorJson(commit.author))
    const stretches = new Stretches()
    for (let from = 0; from < commit.changes.length; from += part) {
      await stretches.yield()
      const rows = commit.changes.slice(from, from + part).map((change) => rowOf(commit, change, owners))
      const column = (key: keyof LogRow) => rows.map((row) => row[key])
      const columns = [column('operation'), column('change'), column('address'), column('type'), column('object')]
      const values = [...columns, column('old'), column('new'), column('logged')]
      await client.query(partText, [version, ...values, author, from, column('owner')])
    }
    if (commit.pending) await client.query(pendingText, [...pendingColumns(commit.pending), version])
    if (audited) await client.query(auditedText, [...auditColumns(audited)])
    await client.query(endText, [commit.clearsActionLogs ?? [], news])
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

const bumpText = `
  UPDATE svc_catalog.metadata SET resource_version = resource_version + 1 WHERE id = 1 AND resource_version = $1
  RETURNING resource_version::text AS version`

/** $1: the version; $2 to $9: the changes, a list per column; $10: the author; $11: how many changes came before; $12: owners. */
const partText = `
  WITH changes AS MATERIALIZED (
    SELECT * FROM unnest(
      $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]::json[], $7::text[]::json[], $8::text[]::json[],
      $9::text[]::json[], $12::text[]
    ) WITH ORDINALITY AS c (operation, change, address, type, object, old, new, logged, owner, position)
  ), removed AS (
    DELETE FROM svc_catalog.metadata_object o USING changes c WHERE c.change = 'delete' AND o.address = c.address
  ), written AS (
    INSERT INTO svc_catalog.metadata_object (address, type, value, changed, owner)
    SELECT address, type, new, $1::bigint, owner FROM changes WHERE change <> 'delete'
    ON CONFLICT (address) DO UPDATE SET
      value = excluded.value, changed = excluded.changed, owner = excluded.owner
  )
  INSERT INTO svc_catalog.change_log
    (resource_version, position, operation, change, address, type, object, old, new, author, owner)
  SELECT $1::bigint, position + $11::int, operation, change, address, type, object, old, coalesce(logged, new), $10::json,
    owner
  FROM changes`

const auditedText = insertAudited('VALUES ($1::text::boolean, $2::text::json)')

const pendingText = insertPending('VALUES ($1::text, $2::text, $3::text, $4::bigint)')

const endText = `
  WITH cleared AS (DELETE FROM svc_catalog.svc_action_log WHERE action_name = ANY($1::text[]))
  SELECT ${notifyText('$2')}`

interface LogRow {
  readonly operation: string
  readonly change: string
  readonly address: string
  readonly type: string
  /** JSON texts, as the next two. */
  readonly object: string
  readonly old: string | null
  readonly new: string | null
  /** What the log gets in place of `new`; null: the same. */
  readonly logged: string | null
  /** Of what is deleted: whose it was. */
  readonly owner: string | null
}

function rowOf(
  { before, after }: Commit,
  { change, address, old, new: now, operation }: Commit['changes'][number],
  owners: OwnersAfter,
): LogRow {
  const at = addressText(address)
  const shown = now && redactValue(address.type, now.value)
  return {
    operation,
    change,
    address: at,
    type: address.type,
    object: JSON.stringify(objectName(keyedObject(change === 'delete' ? before : after, address))),
    old: old && JSON.stringify(redactValue(address.type, old.value)),
    new: now && JSON.stringify(now.value),
    logged: now && shown !== now.value ? JSON.stringify(shown) : null,
    owner: owners(at, now),
  }
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

/**
 * What the current transaction has written of the catalogue: a statement that changes a relation locks it until the
 * transaction ends, however it came to do so. What has no such locks (types, namespaces, servers) is scanned.
 */
import type { DatabaseTable } from '../../backend.ts'
import { type Sql, sql } from '../../sql.ts'
import type { Ask } from './ask.ts'
import type { ListSlot } from './catalogue.ts'
import { relationOfType } from './catalogue-parts.ts'
import { withAllViews } from './changes-since.ts'

export interface OwnChanges {
  /** The transaction; 32 bits. */
  readonly transaction: string
  /** Oids of the relations that it may have changed, gone ones among them. */
  readonly relations: ReadonlySet<string>
}

/**
 * Null: it cannot be said, since the transaction is another one than `begun` (64 bits), or has written what may change
 * how relations are described that it did not lock.
 */
export async function changesWithin(
  ask: Ask,
  begun: string,
  known: ReadonlyMap<string, DatabaseTable>,
): Promise<OwnChanges | null> {
  const [row] = await ask(written, 'svc_changes_within')
  const [transaction, locked, direct, types, isForeign, begunNow] = row ?? []
  if (transaction === undefined || transaction === null || begunNow !== begun || direct !== '0') return null
  const oids = new Set([...known.values()].map(({ oid }) => oid))
  // a type of a new table has no users
  if (list(types).some((relation) => relation === '0' || oids.has(relation))) return null
  return { transaction, relations: withAllViews(new Set(list(locked)), known, isForeign === 'true') }
}

const list = (json: string | null | undefined): readonly string[] =>
  json ? (JSON.parse(json) as readonly number[]).map(String) : []

const strong: Sql = sql`'ShareUpdateExclusiveLock', 'ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'`
/** Or by a transaction that began later. */
const isNew = (version: Sql): Sql => sql`pg_catalog.age(${version}) <= 0`

/**
 * [transaction, relations that it locks, rows of the catalogue that were or may be written without such locks,
 * relations that the types it wrote are of, whether foreign servers are among what it wrote, transaction in 64 bits]. A
 * client that writes rows of the catalogue as those of a table keeps a lock on it, as statements do not that define
 * something, but for COMMENT.
 */
const written: Sql<ListSlot> = sql`
WITH held AS MATERIALIZED (
  SELECT l.relation, l.mode FROM pg_catalog.pg_locks l
  WHERE l.pid = pg_catalog.pg_backend_pid() AND l.locktype = 'relation' AND l.database = (
    SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database()))
SELECT (pg_catalog.txid_current() & 4294967295)::text,
  (SELECT pg_catalog.json_agg(DISTINCT w.relation::int8)::text FROM (
    SELECT COALESCE(i.indrelid, h.relation) AS relation
    FROM held h LEFT JOIN pg_catalog.pg_index i ON i.indexrelid = h.relation WHERE h.mode IN (${strong})
    UNION ALL SELECT d.objoid FROM pg_catalog.pg_description d
    WHERE d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND ${isNew(sql`d.xmin`)}) AS w),
  ((SELECT pg_catalog.count(*) FROM held h WHERE h.mode = 'RowExclusiveLock' AND h.relation < 16384
      AND h.relation <> 'pg_catalog.pg_description'::pg_catalog.regclass)
    + (SELECT pg_catalog.count(*) FROM pg_catalog.pg_namespace n WHERE ${isNew(sql`n.xmin`)}))::text,
  (SELECT pg_catalog.json_agg(${relationOfType}::int8)::text FROM pg_catalog.pg_type t WHERE ${isNew(sql`t.xmin`)}),
  (EXISTS (SELECT FROM pg_catalog.pg_foreign_server s WHERE ${isNew(sql`s.xmin`)})
    OR EXISTS (SELECT FROM pg_catalog.pg_foreign_table w WHERE ${isNew(sql`w.xmin`)}))::text,
  pg_catalog.txid_current()::text`

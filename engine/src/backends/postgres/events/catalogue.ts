import type { RunStatement, TextStatement } from '../../event-store.ts'

/**
 * Tables and functions of event triggers in a source (reference/event-triggers#in-the-database), version
 * by version. A released version is never edited. Each statement by itself, since the caller's transaction goes on.
 */
const versions: readonly (readonly string[])[] = [
  [
    `CREATE TABLE svc_catalog.event_log (
      id text PRIMARY KEY DEFAULT gen_random_uuid()::text,
      schema_name text NOT NULL,
      table_name text NOT NULL,
      trigger_name text NOT NULL,
      payload jsonb NOT NULL,
      delivered boolean NOT NULL DEFAULT false,
      error boolean NOT NULL DEFAULT false,
      tries integer NOT NULL DEFAULT 0,
      created_at timestamp NOT NULL DEFAULT now(),
      locked timestamptz,
      -- UTC
      next_retry_at timestamp,
      archived boolean NOT NULL DEFAULT false,
      -- the instance that delivers it
      locked_by text
    )`,
    'CREATE INDEX event_log_trigger ON svc_catalog.event_log (trigger_name, created_at)',
    // what waits to be handed out, and nothing else
    `CREATE INDEX event_log_waiting ON svc_catalog.event_log (next_retry_at NULLS FIRST, created_at)
      WHERE NOT delivered AND NOT error AND NOT archived AND locked IS NULL`,
    'CREATE INDEX event_log_locked ON svc_catalog.event_log (locked_by) WHERE locked IS NOT NULL',
    `CREATE TABLE svc_catalog.event_invocation_logs (
      id text PRIMARY KEY DEFAULT gen_random_uuid()::text,
      trigger_name text,
      event_id text,
      status integer,
      request json,
      response json,
      created_at timestamp NOT NULL DEFAULT now()
    )`,
    'CREATE INDEX event_invocation_logs_event ON svc_catalog.event_invocation_logs (event_id)',
    'CREATE INDEX event_invocation_logs_trigger ON svc_catalog.event_invocation_logs (trigger_name, created_at)',
    `CREATE TABLE svc_catalog.svc_event_log_cleanups (
      id text PRIMARY KEY DEFAULT gen_random_uuid()::text,
      trigger_name text NOT NULL,
      -- UTC
      scheduled_at timestamp NOT NULL,
      deleted_event_logs integer,
      deleted_event_invocation_logs integer,
      status text NOT NULL DEFAULT 'scheduled' CHECK (status IN ('scheduled', 'paused', 'completed', 'dead')),
      UNIQUE (trigger_name, scheduled_at)
    )`,
    // the instances that deliver events of this database, and how often each reported
    `CREATE TABLE svc_catalog.svc_event_instances (
      id text PRIMARY KEY,
      beats bigint NOT NULL DEFAULT 0,
      heard_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`,
    `CREATE FUNCTION svc_catalog.insert_event_log(
      schema_name text, table_name text, trigger_name text, op text, row_data json
    ) RETURNS text LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $body$
      WITH notified AS (SELECT pg_notify('svc_events', ''))
      INSERT INTO svc_catalog.event_log (schema_name, table_name, trigger_name, payload)
      SELECT $1, $2, $3, jsonb_build_object('op', $4, 'data', $5,
        'session_variables', NULLIF(current_setting('svc.user', true), '')::jsonb,
        'trace_context', NULLIF(current_setting('svc.tracecontext', true), '')::jsonb)
      FROM notified
      RETURNING id
    $body$`,
    'REVOKE ALL ON FUNCTION svc_catalog.insert_event_log(text, text, text, text, json) FROM PUBLIC',
  ],
  [
    // events that failed for good: few rows of a large log. An operator who cannot wait for it makes it beforehand,
    // CONCURRENTLY
    `CREATE INDEX IF NOT EXISTS event_log_failed ON svc_catalog.event_log (trigger_name, created_at)
      WHERE error AND NOT archived`,
  ],
]

/** From this version on what failed for good can be counted without reading the whole log. */
export const countsFailed = 2

/** Of the tables that this engine makes. */
export const currentVersion = versions.length

/** Any number: instances that prepare a source at the same moment wait for each other on it. */
const lock = '7236283742'

const statement = (text: string, ...slots: readonly string[]): TextStatement => ({ text, slots })

/** Makes what is missing. Inside a transaction of the caller's. */
export async function prepareEventTables(run: RunStatement): Promise<void> {
  if ((await readVersion(run)) === versions.length) return
  await run(statement('SELECT pg_advisory_xact_lock($1::bigint)::text', lock))
  const from = await readVersion(run)
  if (from === null) {
    // requesting one that is there takes a privilege that making tables in it does not
    const [schema] = await run(statement(`SELECT to_regnamespace('svc_catalog')::text`))
    if (!schema?.[0]) await run(statement('CREATE SCHEMA svc_catalog'))
    await run(
      statement(`CREATE TABLE svc_catalog.svc_source_catalog_version (
        version text NOT NULL, upgraded_on timestamptz NOT NULL DEFAULT now())`),
    )
    await run(
      statement(
        `INSERT INTO svc_catalog.svc_source_catalog_version (version) VALUES ($1::text)`,
        String(versions.length),
      ),
    )
  }
  if (from !== null && from >= versions.length) return
  for (const text of versions.slice(from ?? 0).flat()) await run(statement(text))
  if (from !== null)
    await run(
      statement(
        'UPDATE svc_catalog.svc_source_catalog_version SET version = $1::text, upgraded_on = now()',
        String(versions.length),
      ),
    )
}

/** Whether there are tables at all; those of a newer engine are as good. */
export const hasEventTables = async (run: RunStatement): Promise<boolean> => (await readVersion(run)) !== null

/** Its row is NULL where there are none. */
export const askTables: TextStatement = statement(`SELECT to_regclass('svc_catalog.svc_source_catalog_version')::text`)

/** Of tables that are there. */
export const askVersion: TextStatement = statement('SELECT version FROM svc_catalog.svc_source_catalog_version')

async function readVersion(run: RunStatement): Promise<number | null> {
  const [found] = await run(askTables)
  if (!found?.[0]) return null
  const [row] = await run(askVersion)
  return Number(row?.[0] ?? 0)
}

/**
 * Removes everything that events had (reference/event-triggers#what-goes-with-it): the whole schema, or where
 * metadata lives in it what belongs to events. Nothing where triggers are left: another source or engine uses the same
 * database.
 */
export async function dropUnusedTables(run: RunStatement): Promise<void> {
  if (!(await hasEventTables(run))) return
  const [used] = await run(
    statement(`SELECT EXISTS (SELECT FROM pg_proc
      WHERE pronamespace = 'svc_catalog'::regnamespace AND proname LIKE 'notify\\_svc\\_%')`),
  )
  if (used?.[0] === 't') return
  const [metadata] = await run(statement(`SELECT to_regclass('svc_catalog.metadata_object')::text`))
  if (!metadata?.[0]) {
    await run(statement('DROP SCHEMA svc_catalog CASCADE'))
    return
  }
  await run(statement('DROP FUNCTION svc_catalog.insert_event_log(text, text, text, text, json)'))
  await run(
    statement(`DROP TABLE svc_catalog.event_log, svc_catalog.event_invocation_logs, svc_catalog.svc_event_log_cleanups,
      svc_catalog.svc_event_instances, svc_catalog.svc_source_catalog_version`),
  )
}

/**
 * The statements of the logs and of what cleans them (reference/event-triggers#queries-of-logs,
 * reference/event-triggers#cleaning-up).
 */
import type { Statement } from '../../backend.ts'
import { type InvocationFilter, type LogFilter, type LogStatus, mostCounted } from '../../event-store.ts'
import { reads, writes } from './event-statement.ts'

/** Every time with the zone UTC; what is left of the fraction is cut by a caller that reads it. */
const iso = (time: string) => `to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS.US')`
/** Columns without a zone hold the writer's local time. */
const local = (column: string) => iso(`${column}::timestamptz AT TIME ZONE 'UTC'`)

const eventColumns = `json_build_object(
  'id', id, 'schema_name', schema_name, 'table_name', table_name, 'trigger_name', trigger_name, 'payload', payload,
  'delivered', delivered, 'error', error, 'tries', tries, 'created_at', ${local('created_at')},
  'locked', ${iso(`locked AT TIME ZONE 'UTC'`)}, 'next_retry_at', ${iso('next_retry_at')}, 'archived', archived)::text`

const invocationColumns = (status: string) => `json_build_object(
  'id', id, 'trigger_name', trigger_name, 'event_id', event_id, '${status}', status, 'request', request,
  'response', response, 'created_at', ${local('created_at')})::text`

/** Written out, so that an index of the failed ones is used. */
const eventsOf: Readonly<Record<LogStatus, string>> = {
  pending: ' AND NOT delivered AND NOT error AND NOT archived',
  processed: ' AND (delivered OR error) AND NOT archived',
  delivered: ' AND delivered AND NOT archived',
  error: ' AND error AND NOT archived',
}

const invocationsOf = {
  delivered: ' AND status BETWEEN 200 AND 299',
  error: ' AND (status IS NULL OR status NOT BETWEEN 200 AND 299)',
}

/** Compared in the column's own terms, local time, so that its index is used. */
const sinceFourth = (since: string | null) => (since === null ? '' : ' AND created_at >= $4::timestamptz::timestamp')

/** $1 the trigger, $2 limit, $3 offset, $4 since where there is one. */
export const eventsStatement = ({ status, since }: LogFilter<LogStatus>): Statement => reads`
    SELECT ${eventColumns} FROM svc_catalog.event_log
    WHERE trigger_name = $1::text${status === null ? '' : eventsOf[status]}${sinceFourth(since)}
    ORDER BY created_at DESC, id LIMIT $2::bigint OFFSET $3::bigint`

/** The same parameters. Logs that lost their event name the trigger themselves. */
export const invocationsStatement = ({ status, since }: InvocationFilter): Statement => reads`
    SELECT ${invocationColumns('http_status')} FROM svc_catalog.event_invocation_logs
    WHERE trigger_name = $1::text${status === null ? '' : invocationsOf[status]}${sinceFourth(since)}
    ORDER BY created_at DESC, id LIMIT $2::bigint OFFSET $3::bigint`

/**
 * $1 triggers: what waits of each, and since when in seconds. Each part is read from the index that finds it to be
 * delivered, in its order, and no more of it than is counted.
 */
export const backlogStatement = reads`
    WITH waiting AS (
      ${['next_retry_at IS NULL', 'next_retry_at IS NOT NULL']
        .map(
          (which) => `(SELECT trigger_name, created_at FROM svc_catalog.event_log
        WHERE NOT delivered AND NOT error AND NOT archived AND locked IS NULL AND ${which}
        ORDER BY next_retry_at NULLS FIRST, created_at LIMIT ${mostCounted})`,
        )
        .join('\n      UNION ALL ')}
      UNION ALL (SELECT trigger_name, created_at FROM svc_catalog.event_log
        WHERE locked IS NOT NULL AND NOT delivered AND NOT error AND NOT archived
        ORDER BY locked_by LIMIT ${mostCounted})
    )
    SELECT trigger_name, least(count(*), ${mostCounted})::text,
      greatest(0, extract(epoch FROM now() - min(created_at)::timestamptz))::text
    FROM waiting WHERE trigger_name = ANY ($1::text[]) GROUP BY trigger_name`

/** $1 triggers: how many events of each failed for good. Needs tables of version 2. */
export const failedStatement = reads`SELECT name, (SELECT count(*) FROM (SELECT FROM svc_catalog.event_log
      WHERE trigger_name = name AND error AND NOT archived ORDER BY created_at LIMIT ${mostCounted}) AS failed)::text
    FROM unnest($1::text[]) AS name`

export const eventStatement = reads`SELECT ${eventColumns} FROM svc_catalog.event_log WHERE id = $1::text`

/** $1 the event, $2 limit, $3 offset. */
export const invocationsOfStatement = reads`
    SELECT ${invocationColumns('http_status')} FROM svc_catalog.event_invocation_logs
    WHERE event_id = $1::text ORDER BY created_at DESC, id LIMIT $2::bigint OFFSET $3::bigint`

/** $1 the trigger, $2 hours, $3 rows, $4 whether invocation logs go too. Returns the numbers of both. */
export const cleanStatement = writes`
    WITH old AS MATERIALIZED (
      SELECT id FROM svc_catalog.event_log
      WHERE trigger_name = $1::text AND (delivered OR error) AND locked IS NULL
        AND created_at < now() - $2::bigint * interval '1 hour'
      LIMIT $3::bigint FOR UPDATE SKIP LOCKED
    ), events AS (
      DELETE FROM svc_catalog.event_log e USING old WHERE e.id = old.id RETURNING 1
    ), invocations AS (
      DELETE FROM svc_catalog.event_invocation_logs l USING old WHERE l.event_id = old.id AND $4::boolean RETURNING 1
    )
    SELECT (SELECT count(*) FROM events)::text, (SELECT count(*) FROM invocations)::text`

const seconds = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint::text`

/** $1 the trigger. */
export const pendingCleanupsStatement = reads`
    SELECT count(*)::text, ${seconds('max(scheduled_at)')} FROM svc_catalog.svc_event_log_cleanups
    WHERE trigger_name = $1::text AND status = 'scheduled'`

/** $1 the trigger, $2 times in milliseconds. */
export const scheduleCleanupsStatement = writes`
    INSERT INTO svc_catalog.svc_event_log_cleanups (trigger_name, scheduled_at)
    SELECT $1::text, to_timestamp(time / 1000.0) AT TIME ZONE 'UTC' FROM unnest($2::bigint[]) AS time
    ON CONFLICT DO NOTHING`

/** $1 triggers. Rows are gone from the schedule once taken; the newest of each trigger is to be carried out. */
export const takeCleanupsStatement = writes`
    WITH due AS MATERIALIZED (
      SELECT id, trigger_name, scheduled_at FROM svc_catalog.svc_event_log_cleanups
      WHERE status = 'scheduled' AND trigger_name = ANY ($1::text[]) AND scheduled_at <= now() AT TIME ZONE 'UTC'
      FOR UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE svc_catalog.svc_event_log_cleanups c SET status = 'dead' FROM due WHERE c.id = due.id RETURNING 1
    )
    SELECT DISTINCT ON (trigger_name) id, trigger_name FROM due ORDER BY trigger_name, scheduled_at DESC`

/** $1 the clean-up, $2 its status, $3 events, $4 invocation logs. */
export const finishCleanupStatement = writes`UPDATE svc_catalog.svc_event_log_cleanups
    SET status = $2::text, deleted_event_logs = $3::int, deleted_event_invocation_logs = $4::int WHERE id = $1::text`

/** $1 triggers. */
export const forgetCleanupsStatement = writes`DELETE FROM svc_catalog.svc_event_log_cleanups
    WHERE trigger_name = ANY ($1::text[]) AND status IN ('scheduled', 'paused')`

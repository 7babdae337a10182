/** The statements of delivery (reference/event-triggers#delivery, reference/event-triggers#outcome). */
import { beatText, buryText } from '../../../webhooks/index.ts'
import { writes } from './event-statement.ts'

/** What waits for this instance, in the order of the index that finds it. */
const pending = (which: string, most: string): string => `
      SELECT id FROM svc_catalog.event_log
      WHERE NOT delivered AND NOT error AND NOT archived AND locked IS NULL AND ${which}
        AND trigger_name = ANY ($2::text[])
        AND EXISTS (SELECT FROM svc_catalog.svc_event_instances WHERE id = $1::text)
      ORDER BY next_retry_at NULLS FIRST, created_at
      LIMIT ${most}
      FOR UPDATE SKIP LOCKED`

const isDue = `next_retry_at <= now() AT TIME ZONE 'UTC'`

/**
 * $1 the instance, $2 names of triggers, $3 how many. An instance that other instances consider dead gets nothing.
 * Retries that are due have a quarter of it, and what new events leave: they do not wait until a whole backlog is
 * delivered. The rows are found by an array: of a limit that is computed PostgreSQL expects a tenth of all, and would
 * read the whole table for them.
 */
export const claimStatement = writes`
    WITH retries AS MATERIALIZED (${pending(isDue, '($3::bigint + 2) / 4')}
    ), fresh AS MATERIALIZED (${pending('next_retry_at IS NULL', '$3::bigint - (SELECT count(*) FROM retries)')}
    ), rest AS MATERIALIZED (${pending(
      `${isDue} AND id NOT IN (SELECT id FROM retries)`,
      '$3::bigint - (SELECT count(*) FROM retries) - (SELECT count(*) FROM fresh)',
    )}
    )
    UPDATE svc_catalog.event_log e SET locked = now(), locked_by = $1::text
    WHERE e.id = ANY (ARRAY(SELECT id FROM retries UNION ALL SELECT id FROM fresh UNION ALL SELECT id FROM rest))
    RETURNING e.id, to_char(e.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.trigger_name, e.schema_name, e.table_name,
      e.tries::text, e.payload ->> 'op', (e.payload -> 'data')::text, (e.payload -> 'session_variables')::text,
      (e.payload -> 'trace_context')::text`

/**
 * $1 the instance; then lists, an entry for each outcome: ids, triggers, what comes next, seconds until it, whether an
 * attempt was made, status, request and response of it. Events that the instance does not hold any more are unchanged,
 * so that an answer that was lost on the way does no harm when this is sent again.
 */
export const recordStatement = writes`
    WITH outcome AS MATERIALIZED (
      SELECT * FROM unnest(
        $2::text[], $3::text[], $4::text[], $5::double precision[], $6::boolean[], $7::int[], $8::text[], $9::text[]
      ) AS o (id, trigger_name, next, seconds, attempted, status, request, response)
    ), changed AS (
      UPDATE svc_catalog.event_log e SET
        tries = e.tries + o.attempted::int,
        delivered = o.next = 'delivered',
        error = o.next IN ('failed', 'undeliverable'),
        next_retry_at = CASE WHEN o.next IN ('retry', 'postponed')
          THEN clock_timestamp() AT TIME ZONE 'UTC' + o.seconds * interval '1 second' END,
        locked = NULL,
        locked_by = NULL
      FROM outcome o WHERE e.id = o.id AND e.locked_by = $1::text
      RETURNING e.id
    )
    INSERT INTO svc_catalog.event_invocation_logs (trigger_name, event_id, status, request, response)
    SELECT o.trigger_name, o.id, o.status, o.request::json, o.response::json
    FROM outcome o JOIN changed c ON c.id = o.id WHERE o.attempted`

/** $1 the instance, $2 events that it is busy with. */
export const releaseStatement = writes`
    WITH freed AS (
      UPDATE svc_catalog.event_log SET locked = NULL, locked_by = NULL
      WHERE locked IS NOT NULL AND locked_by = $1::text AND id <> ALL ($2::text[])
      RETURNING 1
    )
    SELECT count(*)::text FROM freed`

const instances = 'svc_catalog.svc_event_instances'

export const beatStatement = writes`${beatText(instances)}`

export const buryStatement = writes`${buryText(instances)}`

/** Events without an instance. It has a snapshot of its own, after dead instances were removed. */
export const freeStatement = writes`
    WITH freed AS (
      UPDATE svc_catalog.event_log e SET locked = NULL, locked_by = NULL
      WHERE locked IS NOT NULL AND CASE WHEN locked_by IS NULL
        THEN locked < now() - interval '30 minutes' AND NOT delivered AND NOT error
        ELSE NOT EXISTS (SELECT FROM svc_catalog.svc_event_instances i WHERE i.id = e.locked_by) END
      RETURNING 1
    )
    SELECT count(*)::text FROM freed`

export const leaveStatement = writes`DELETE FROM svc_catalog.svc_event_instances WHERE id = $1::text`

/** $1 the event. One that is being delivered is unchanged. */
export const redeliverStatement = writes`
    WITH found AS (
      SELECT id, locked IS NOT NULL AND (locked_by IS NOT NULL OR locked > now() - interval '30 minutes') AS busy
      FROM svc_catalog.event_log WHERE id = $1::text FOR UPDATE
    ), again AS (
      UPDATE svc_catalog.event_log e SET delivered = false, error = false, tries = 0
      FROM found WHERE e.id = found.id AND NOT found.busy
      RETURNING 1
    ), notified AS (
      SELECT pg_notify('svc_events', '') FROM again
    )
    SELECT found.busy, (SELECT count(*) FROM notified)::text FROM found`

/** $1 schema, $2 table, $3 trigger, $4 payload, $5 session variables, $6 trace context. */
export const invokeStatement = writes`
    WITH notified AS (SELECT pg_notify('svc_events', ''))
    INSERT INTO svc_catalog.event_log (schema_name, table_name, trigger_name, payload)
    SELECT $1::text, $2::text, $3::text, jsonb_build_object('op', 'MANUAL',
      'data', jsonb_build_object('old', NULL, 'new', $4::jsonb),
      'session_variables', $5::jsonb, 'trace_context', $6::jsonb)
    FROM notified
    RETURNING id`

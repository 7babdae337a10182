/** The statements of scheduled events (reference/scheduled-triggers). */
import { beatText, buryText } from '../../webhooks/index.ts'
import { type CatalogueStatement, once, repeatable } from './connection.ts'

export type EventKind = 'cron' | 'one_off'

const tables = { cron: 'svc_cron_events', one_off: 'svc_scheduled_events' }
const logTables = { cron: 'svc_cron_event_invocation_logs', one_off: 'svc_scheduled_event_invocation_logs' }

/** $1 triggers: their events that no one has tried yet. */
export const dropFutureStatement = once('svc_cron_drop_future')`DELETE FROM svc_catalog.svc_cron_events
   WHERE trigger_name = ANY ($1::text[]) AND scheduled_time > now() AND tries = 0 AND status = 'scheduled'`

/**
 * $1 triggers, $2 times in milliseconds. Times that were planned before are no new ones, whatever has become of them: of two
 * instances that plan what is due already, one may be late with times that the other has delivered.
 */
export const seedStatement = once('svc_cron_seed')`
   INSERT INTO svc_catalog.svc_cron_events (trigger_name, scheduled_time)
   SELECT name, to_timestamp(time / 1000.0) FROM unnest($1::text[], $2::bigint[]) AS due (name, time)
   WHERE NOT EXISTS (SELECT FROM svc_catalog.svc_cron_events e
     WHERE e.trigger_name = name AND e.scheduled_time = to_timestamp(time / 1000.0))
   ON CONFLICT DO NOTHING`

/** $1 triggers. How many wait, and the latest time there was. */
export const aheadStatement = repeatable('svc_cron_ahead')`SELECT name,
     (SELECT count(*) FROM svc_catalog.svc_cron_events e
       WHERE e.trigger_name = name AND e.status = 'scheduled' AND e.tries = 0)::text,
     (SELECT (extract(epoch FROM max(e.scheduled_time)) * 1000)::bigint
       FROM svc_catalog.svc_cron_events e WHERE e.trigger_name = name)::text
   FROM unnest($1::text[]) AS name`

const due = `status = 'scheduled' AND COALESCE(next_retry_at, scheduled_time) <= now()
  AND EXISTS (SELECT FROM svc_catalog.svc_schedule_instances WHERE id = $1::text)`

const isoOf = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`
/** Seconds since the event was due. */
const late = `extract(epoch FROM now() - e.scheduled_time)::text`

/** $1 the instance, $2 how many, $3 triggers. */
export const claimCronStatement = once('svc_cron_claim')`WITH due AS MATERIALIZED (
     SELECT id FROM svc_catalog.svc_cron_events WHERE ${due} AND trigger_name = ANY ($3::text[])
     ORDER BY scheduled_time LIMIT $2::bigint FOR UPDATE SKIP LOCKED
   )
   UPDATE svc_catalog.svc_cron_events e SET status = 'locked', locked_by = $1::text FROM due WHERE e.id = due.id
   RETURNING e.id, ${isoOf('e.scheduled_time')}, ${late}, e.tries::text, e.trigger_name`

/** $1 the instance, $2 how many, $3 webhooks that get none, as JSON texts. */
export const claimOneOffStatement = once('svc_one_off_claim')`WITH due AS MATERIALIZED (
     SELECT id FROM svc_catalog.svc_scheduled_events WHERE ${due} AND webhook_conf::text <> ALL ($3::text[])
     ORDER BY scheduled_time LIMIT $2::bigint FOR UPDATE SKIP LOCKED
   )
   UPDATE svc_catalog.svc_scheduled_events e SET status = 'locked', locked_by = $1::text FROM due WHERE e.id = due.id
   RETURNING e.id, ${isoOf('e.scheduled_time')}, ${late}, e.tries::text, ${isoOf('e.created_at')}, e.webhook_conf::text,
     e.retry_conf::text, e.header_conf::text, e.payload::text, e.comment, e.request_transform::text,
     e.response_transform::text`

/**
 * $1 the instance; then lists, an entry for each outcome: ids, the status that follows, seconds until the next attempt,
 * whether one was made, status, request and response of it.
 */
const record = (kind: EventKind) =>
  once(`svc_${kind}_record`)`WITH outcome AS MATERIALIZED (
       SELECT * FROM unnest(
         $2::text[], $3::text[], $4::double precision[], $5::boolean[], $6::int[], $7::text[], $8::text[]
       ) AS o (id, next, seconds, attempted, status, request, response)
     ), changed AS (
       UPDATE svc_catalog.${tables[kind]} e SET
         status = o.next,
         tries = e.tries + o.attempted::int,
         next_retry_at = clock_timestamp() + o.seconds * interval '1 second',
         locked_by = NULL
       FROM outcome o WHERE e.id = o.id AND e.locked_by = $1::text
       RETURNING e.id
     )
     INSERT INTO svc_catalog.${logTables[kind]} (event_id, status, request, response)
     SELECT o.id, o.status, o.request::json, o.response::json
     FROM outcome o JOIN changed c ON c.id = o.id WHERE o.attempted`

/** $1 the instance, $2 events that it is busy with. */
const release = (kind: EventKind) =>
  once(`svc_${kind}_release`)`UPDATE svc_catalog.${tables[kind]} SET status = 'scheduled', locked_by = NULL
     WHERE status = 'locked' AND locked_by = $1::text AND id <> ALL ($2::text[])`

/** Events without an instance. */
const free = (kind: EventKind) =>
  once(`svc_${kind}_free`)`WITH freed AS (
       UPDATE svc_catalog.${tables[kind]} e SET status = 'scheduled', locked_by = NULL
       WHERE status = 'locked'
         AND NOT EXISTS (SELECT FROM svc_catalog.svc_schedule_instances i WHERE i.id = e.locked_by)
       RETURNING 1
     )
     SELECT count(*)::text FROM freed`

const remove = (kind: EventKind) =>
  once(`svc_${kind}_delete`)`DELETE FROM svc_catalog.${tables[kind]} WHERE id = $1::text`

const statementsOf = (kind: EventKind) => ({
  record: record(kind),
  release: release(kind),
  free: free(kind),
  remove: remove(kind),
})

export const byKind = { cron: statementsOf('cron'), one_off: statementsOf('one_off') }

const instances = 'svc_catalog.svc_schedule_instances'

export const beatStatement = once('svc_schedules_beat')`${beatText(instances)}`

export const buryStatement = once('svc_schedules_bury')`${buryText(instances)}`

export const leaveStatement = once('svc_schedules_leave')`
  DELETE FROM svc_catalog.svc_schedule_instances WHERE id = $1::text`

/**
 * $1 webhook, $2 time, $3 retry, $4 payload, $5 headers, $6 comment, $7 and $8 transforms, $9 the id (NULL: a new one). No
 * row where it is there.
 */
export const createOneOffStatement = once('svc_one_off_create')`
   INSERT INTO svc_catalog.svc_scheduled_events
     (webhook_conf, scheduled_time, retry_conf, payload, header_conf, comment, request_transform, response_transform, id)
   VALUES ($1::json, $2::timestamptz, $3::json, $4::json, $5::json, $6::text, $7::json, $8::json,
     COALESCE($9::text, gen_random_uuid()::text))
   ON CONFLICT DO NOTHING RETURNING id`

const zulu = (column: string) => `${isoOf(column)} || 'Z'`

const eventJson = {
  cron: `json_build_object('id', id, 'trigger_name', trigger_name, 'scheduled_time', ${zulu('scheduled_time')},
    'status', status, 'tries', tries, 'created_at', ${zulu('created_at')}, 'next_retry_at', ${zulu('next_retry_at')})`,
  one_off: `json_build_object('id', id, 'webhook_conf', webhook_conf, 'scheduled_time', ${zulu('scheduled_time')},
    'retry_conf', retry_conf, 'payload', payload, 'header_conf', header_conf, 'status', status, 'tries', tries,
    'created_at', ${zulu('created_at')}, 'next_retry_at', ${zulu('next_retry_at')}, 'comment', comment,
    'request_transform', request_transform, 'response_transform', response_transform)`,
}

export interface EventOrder {
  readonly column: string
  readonly type?: 'asc' | 'desc' | undefined
  readonly nulls?: 'first' | 'last' | undefined
}

const ofTrigger = { cron: '($1::text IS NULL OR trigger_name = $1::text)', one_off: '$1::text IS NULL' }

/** $1 the trigger (NULL: any), $2 statuses (NULL: any), $3 limit, $4 offset, $5 the event, $6 since (NULL: any). Columns of `order` are known ones. */
export function listStatement(kind: EventKind, order: readonly EventOrder[]): CatalogueStatement {
  const by = order.map(
    ({ column, type = 'asc', nulls }) =>
      `"${column}" ${type === 'desc' ? 'DESC' : 'ASC'}${nulls ? ` NULLS ${nulls === 'first' ? 'FIRST' : 'LAST'}` : ''}`,
  )
  const sorted = [...by, 'scheduled_time', 'id'].join(', ')
  const columns = order.map(({ column, type = '', nulls = '' }) => `${column}${type}${nulls}`)
  return repeatable(`svc_${kind}_list_${columns.join('_')}`.slice(0, 60))`
     SELECT ${eventJson[kind]}::text FROM svc_catalog.${tables[kind]}
     WHERE ${ofTrigger[kind]} AND ($2::text[] IS NULL OR status = ANY ($2::text[])) AND ($5::text IS NULL OR id = $5::text)
       AND ($6::timestamptz IS NULL OR scheduled_time >= $6::timestamptz)
     ORDER BY ${sorted} LIMIT $3::bigint OFFSET COALESCE($4::bigint, 0)`
}

/** $1 the trigger, $2 statuses, $3 the event, $4 since (each NULL: any). */
export const countStatement = (kind: EventKind): CatalogueStatement =>
  repeatable(`svc_${kind}_count`)`SELECT count(*)::text FROM svc_catalog.${tables[kind]}
     WHERE ${ofTrigger[kind]} AND ($2::text[] IS NULL OR status = ANY ($2::text[])) AND ($3::text IS NULL OR id = $3::text)
       AND ($4::timestamptz IS NULL OR scheduled_time >= $4::timestamptz)`

const invocationsFrom = (kind: EventKind, since: string) => `FROM svc_catalog.${logTables[kind]} l
  WHERE ($1::text IS NULL OR l.event_id = $1::text)
    AND (${since}::timestamptz IS NULL OR l.created_at >= ${since}::timestamptz) AND ${
      kind === 'cron'
        ? '($2::text IS NULL OR EXISTS (SELECT FROM svc_catalog.svc_cron_events e WHERE e.id = l.event_id AND e.trigger_name = $2::text))'
        : '$2::text IS NULL'
    }`

/** $1 the event (NULL: any), $2 the trigger (NULL: any), $3 limit, $4 offset, $5 since (NULL: any). Newest first. */
export const invocationsStatement = (kind: EventKind): CatalogueStatement =>
  repeatable(`svc_${kind}_invocations`)`
   SELECT json_build_object('id', l.id, 'event_id', l.event_id, 'status', l.status, 'request', l.request,
       'response', l.response, 'created_at', ${zulu('l.created_at')})::text
     ${invocationsFrom(kind, '$5')} ORDER BY l.created_at DESC, l.id LIMIT $3::bigint OFFSET COALESCE($4::bigint, 0)`

export const countInvocationsStatement = (kind: EventKind): CatalogueStatement =>
  repeatable(`svc_${kind}_invocations_count`)`SELECT count(*)::text ${invocationsFrom(kind, '$3')}`

/** How many events are counted at most: large logs are not read as a whole. */
const mostCounted = 10_000

/**
 * What is due by trigger, how long the oldest has been, and what has failed for good: each read from an index of its
 * own, in its order.
 */
export const backlogStatement = (kind: EventKind): CatalogueStatement => {
  const trigger = kind === 'cron' ? 'trigger_name' : 'NULL::text'
  const of = (which: string, order: string) =>
    `SELECT ${trigger} AS name, status, scheduled_time FROM svc_catalog.${tables[kind]}
     WHERE ${which} ORDER BY ${order} LIMIT ${mostCounted}`
  const dueSince = 'COALESCE(next_retry_at, scheduled_time)'
  return repeatable(`svc_${kind}_backlog`)`WITH found AS (
       (${of(`status = 'scheduled' AND ${dueSince} <= now()`, dueSince)})
       UNION ALL (${of(`status = 'locked'`, 'locked_by')})
       UNION ALL (${of(`status IN ('error', 'dead')`, 'scheduled_time')})
     )
     SELECT name, (count(*) FILTER (WHERE status IN ('scheduled', 'locked')))::text,
       COALESCE(greatest(0, extract(epoch FROM now() - min(scheduled_time) FILTER (WHERE status IN ('scheduled', 'locked')))), 0)::text,
       (count(*) FILTER (WHERE status IN ('error', 'dead')))::text
     FROM found GROUP BY name`
}

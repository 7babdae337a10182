import {
  createScheduledEventArgs,
  defaultScheduleRetry,
  equalJson,
  isRecord,
  type Json,
  type JsonObject,
  recordOf,
  recordsIn,
  valueFaults,
} from '@svc/schema'
import { filled } from './attributes-of.ts'
import { defineRecord, type FoundRecord } from './define-record.ts'
import { defined } from './in-table.ts'
import { op } from './operation.ts'
import { scheduledCall, scheduledCallCodecs } from './scheduled-call.ts'
import { webhookAddress } from './webhook-address.ts'

/** Calls a webhook once (reference/scheduled-triggers#one-off-events). */
export const scheduledEvent = defineRecord({
  kind: 'ScheduledEvent',
  description: [
    'A webhook that the engine calls once, at a time.',
    'It is kept next to the metadata, with an id that the engine knows it by, and is never changed: another one takes its place, which is sent although the first may have been.',
    'One that is gone from the engine is made again while its time is still to come, and never after that.',
    'Deleting it deletes its log too, and takes nothing back that was sent.',
  ].join(' '),
  inputs: {
    ...webhookAddress('REMINDERS_URL', 'webhook.from_env'),
    schedule_at: filled(
      'When it is called: ISO 8601, `2030-01-01T09:00:00Z`; without a time zone in UTC. A time in the past is at once, within the tolerance.',
    ),
    ...scheduledCall,
    comment: 'For people who read the events; it is sent too.',
  },
  schema: createScheduledEventArgs,
  normal: withoutUsual,
  example: ['0b0f6b0e-7d3c-4f63-9a49-5b8a8d3f9d11'],
  exactlyOne: [['webhook', 'webhook_from_env']],
  codecs: scheduledCallCodecs,
  meaning: ({ schedule_at = null, ...others }) => ({ ...others, schedule_at: instantOf(schedule_at) }),
  // the same of a webhook that is called once
  faults: (event) => valueFaults('cron_trigger', event),
  store: {
    create: (event_id, event) => op('create_scheduled_event', { ...event, event_id }),
    createdId: (answer) => (isRecord(answer) && typeof answer.event_id === 'string' ? answer.event_id : null),
    // one that calls the same webhook in the same way
    check: ({ schedule_at: _, ...event }) =>
      op('create_cron_trigger', { ...event, name: 'one_off_event', schedule: '@yearly', include_in_metadata: false }),
    read: (event_id, page) => op('get_scheduled_events', { type: 'one_off', event_id, ...page }),
    found: (answer) => recordsIn(recordOf(answer).events).map(foundEvent),
    delete: (event_id) => op('delete_scheduled_event', { type: 'one_off', event_id }),
    remarks: ({ old, now, time }) => [
      ...(now && isDue(now, time) ? [whatIsPast(now, time)] : []),
      ...(now && old && over.includes(old.status)
        ? [`The one that is there is over (${old.status}): another one is sent, and its log goes.`]
        : []),
      ...(old?.status === 'locked' ? ['The one that is there is being sent at this moment.'] : []),
    ],
    isOver: isDue,
  },
})

const over: readonly string[] = ['delivered', 'error', 'dead']

function isDue({ schedule_at = null }: JsonObject, time: number): boolean {
  return Date.parse(instantText(schedule_at)) <= time
}

function whatIsPast(event: JsonObject, time: number): string {
  const { tolerance_seconds } = { ...defaultScheduleRetry, ...recordOf(event.retry_conf) }
  return isDue(event, time - Number(tolerance_seconds) * 1000)
    ? 'Its time is past by more than its tolerance: it is not sent.'
    : 'Its time is past: it is sent at once.'
}

const instantText = (at: Json): string =>
  String(at)
    .replace(/^(\S+) /, '$1T')
    .replace(/\s/, '')
    .replace(',', '.')
    .replace(/([+-]\d{2})$/, '$1:00')
    // without one Date.parse would take the zone of this machine
    .replace(/T[\d:.]+$/i, '$&Z')

/** As PostgreSQL stores it: to the microsecond, in UTC. */
function instantOf(at: Json): Json {
  const text = instantText(at)
  const time = Date.parse(text)
  if (Number.isNaN(time)) return at
  const [, digits = ''] = /\.(\d+)/.exec(text) ?? []
  return `${new Date(time).toISOString().slice(0, 19)}.${digits.padEnd(6, '0').slice(0, 6)}Z`
}

/** As `get_scheduled_events` shows one. */
function foundEvent({ id = null, status = null, ...event }: JsonObject): FoundRecord {
  const { webhook_conf: webhook, scheduled_time: schedule_at, header_conf: headers, ...others } = event
  const { payload, retry_conf, comment, request_transform, response_transform } = others
  const said = { webhook, schedule_at, headers, payload, retry_conf, comment, request_transform, response_transform }
  const value = Object.entries(said).filter(([, json]) => json !== null)
  return { id: String(id), status: String(status), value: withoutUsual(defined(Object.fromEntries(value))) }
}

/** The engine fills in what is not set. */
function withoutUsual({ headers, retry_conf, ...others }: JsonObject): JsonObject {
  return {
    ...others,
    ...(Array.isArray(headers) && headers.length > 0 && { headers }),
    ...(retry_conf !== undefined && !equalJson(retry_conf, { ...defaultScheduleRetry }) && { retry_conf }),
  }
}

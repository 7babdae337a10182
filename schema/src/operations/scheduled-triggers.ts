import { withInputForm } from '../input-forms.ts'
import {
  cronTriggerShape,
  defaultScheduleRetry,
  type ScheduleRetry,
  scheduleRetry,
  webhookAddress,
  webhookForm,
} from '../objects/cron-trigger.ts'
import { type Header, headers } from '../objects/header.ts'
import { requestTransform, responseTransform } from '../objects/request-transform.ts'
import { withWebhookVariable } from '../objects/webhook-forms.ts'
import {
  boolean,
  filled,
  integer,
  json,
  lenient,
  list,
  name,
  oneOf,
  optional,
  type Schema,
  text,
  type Value,
} from '../shape.ts'
import { timestamp } from './timestamp.ts'

/**
 * create_cron_trigger (reference/scheduled-triggers#cron-triggers): the object itself, and whether it takes the place
 * of one there is.
 */
export const createCronTriggerArgs = withWebhookVariable(
  withInputForm(lenient({ ...cronTriggerShape, replace: filled(boolean, false) }), webhookForm),
)

export const deleteCronTriggerArgs = lenient({ name: text })

/** create_scheduled_event (reference/scheduled-triggers#one-off-events). */
export const createScheduledEventArgs = withWebhookVariable(
  withInputForm(
    lenient({
      webhook: webhookAddress,
      schedule_at: timestamp,
      payload: optional(json),
      headers: filled<readonly Header[]>(headers, []),
      retry_conf: filled<ScheduleRetry>(scheduleRetry, defaultScheduleRetry),
      comment: optional(text),
      request_transform: optional(requestTransform),
      response_transform: optional(responseTransform),
      // an addition: the id it is to have, so that a repeated request makes one
      event_id: optional(name),
    }),
    webhookForm,
  ),
)
export type CreateScheduledEventArgs = Value<typeof createScheduledEventArgs>

const eventType = oneOf('one_off', 'cron')

export const deleteScheduledEventArgs = lenient({ type: eventType, event_id: text })

const notNegative: Schema<number> = integer.refine((value) => value >= 0, 'expected a number that is not negative')

const paging = { limit: optional(notNegative), offset: optional(notNegative), get_rows_count: filled(boolean, false) }

export const scheduledEventStatuses = ['scheduled', 'locked', 'delivered', 'error', 'dead'] as const

/** Columns that events may be ordered by; a cron event has no other ones. */
export const scheduledEventColumns = [
  'id',
  'scheduled_time',
  'status',
  'tries',
  'created_at',
  'next_retry_at',
  'trigger_name',
  'comment',
] as const

const ordering = lenient({
  column: oneOf(...scheduledEventColumns),
  type: optional(oneOf('asc', 'desc')),
  nulls: optional(oneOf('first', 'last')),
})

const orderings: Schema<readonly Value<typeof ordering>[]> = list(ordering)

/** get_scheduled_events (reference/scheduled-triggers#one-off-events). */
export const getScheduledEventsArgs = lenient({
  type: eventType,
  trigger_name: optional(text),
  ...paging,
  status: optional(list(oneOf(...scheduledEventStatuses))),
  // an addition: only this event
  event_id: optional(text),
  // an addition: those due then or later
  since: optional(timestamp),
  order_by: optional(orderings),
}).refine(({ type, trigger_name }) => type === 'one_off' || trigger_name !== undefined, 'key "trigger_name" not found')
export type GetScheduledEventsArgs = Value<typeof getScheduledEventsArgs>

export const getScheduledEventInvocationsArgs = lenient({
  type: eventType,
  event_id: optional(text),
  trigger_name: optional(text),
  since: optional(timestamp),
  ...paging,
}).refine(
  ({ type, event_id, trigger_name }) => type === 'one_off' || event_id !== undefined || trigger_name !== undefined,
  'expecting "event_id" or "trigger_name" for events of cron triggers',
)

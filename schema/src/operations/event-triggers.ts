import { type NameStyle, perStyle } from '../backend-kind.ts'
import { withInputForm } from '../input-forms.ts'
import {
  cleanupConfiguration,
  type EventTrigger,
  eventRetry,
  eventTrigger,
  eventTriggerName,
  triggerOperation,
  webhookOfTrigger,
} from '../objects/event-trigger.ts'
import { headers } from '../objects/header.ts'
import { qualifiedName } from '../objects/qualified-name.ts'
import { requestTransform, responseTransform } from '../objects/request-transform.ts'
import { withWebhookObject } from '../objects/webhook-forms.ts'
import {
  boolean,
  checked,
  choose,
  exactlyOne,
  filled,
  integer,
  isRecord,
  json,
  lenient,
  list,
  oneOf,
  optional,
  type Schema,
  text,
  type Value,
} from '../shape.ts'
import { sourceName } from './shared-keys.ts'
import { timestamp } from './timestamp.ts'

/** `<p>_create_event_trigger` (reference/event-triggers#creating-one). */
export const createEventTriggerArgs = perStyle((style) =>
  withWebhookObject(
    exactlyOne(
      lenient(
        {
          name: eventTriggerName,
          source: sourceName,
          table: qualifiedName(style),
          insert: optional(triggerOperation),
          update: optional(triggerOperation),
          delete: optional(triggerOperation),
          enable_manual: filled(boolean, false),
          webhook: optional(text),
          webhook_from_env: optional(text),
          headers: optional(headers),
          retry_conf: optional(eventRetry),
          replace: filled(boolean, false),
          request_transform: optional(requestTransform),
          response_transform: optional(responseTransform),
          cleanup_config: optional(cleanupConfiguration),
          trigger_on_replication: optional(boolean),
          comment: optional(text),
        },
        { aliases: { transform: 'request_transform' } },
      ).refine(
        ({ insert, update, delete: deleted, enable_manual }) => Boolean(insert || update || deleted || enable_manual),
        'atleast one amongst insert/update/delete/enable_manual spec must be provided',
      ),
      webhookOfTrigger.keys,
      webhookOfTrigger.words,
    ),
  ),
)
export type CreateEventTriggerArgs = Value<ReturnType<typeof createEventTriggerArgs>>

/** The object that the arguments declare, in its canonical form. */
export function declaredEventTrigger(args: CreateEventTriggerArgs, style: NameStyle): EventTrigger {
  const { source: _, table: __, replace: ___, insert, update, delete: deleted, enable_manual, ...others } = args
  return eventTrigger(style).parse({ ...others, definition: { enable_manual, insert, update, delete: deleted } })
}

export const deleteEventTriggerArgs = lenient({ name: text, source: sourceName })

/** reference/event-triggers#redeliver-and-invoke: an event of `source`, or of whichever source has it. */
export const redeliverEventArgs = lenient({ event_id: text, source: optional(text) })

export const invokeEventTriggerArgs = lenient({ name: text, payload: json, source: sourceName })

const notNegative: Schema<number> = integer.refine((value) => value >= 0, 'expected a number that is not negative')
const positive: Schema<number> = integer.refine((value) => value > 0, 'expected a positive number')

/** `delivered` and `error` are additions: `processed` is both. */
const logStatuses = ['pending', 'processed', 'delivered', 'error'] as const
type LogStatus = (typeof logStatuses)[number]

const logStatus = withInputForm(
  checked<LogStatus>(
    text as Schema<LogStatus>,
    (status) => (logStatuses as readonly string[]).includes(status),
    'event logs status can only be one of the following: processed or pending',
  ),
  { schema: { enum: [...logStatuses] } },
)

/** reference/event-triggers#queries-of-logs. */
export const getEventLogsArgs = lenient({
  name: text,
  source: sourceName,
  limit: filled(notNegative, 100),
  offset: filled(notNegative, 0),
  status: optional(logStatus),
  // an addition: those made then or later
  since: optional(timestamp),
})

export const getEventInvocationLogsArgs = lenient({
  name: text,
  source: sourceName,
  limit: filled(notNegative, 100),
  offset: filled(notNegative, 0),
  // additions
  status: optional(oneOf('delivered', 'error')),
  since: optional(timestamp),
})

export const getEventByIdArgs = lenient({
  event_id: text,
  source: sourceName,
  invocation_log_limit: filled(notNegative, 100),
  invocation_log_offset: filled(notNegative, 0),
})

/** reference/event-triggers#cleaning-up. Hours, rows, seconds. */
export const cleanupEventTriggerLogsArgs = lenient({
  event_trigger_name: text,
  source: sourceName,
  clear_older_than: notNegative,
  batch_size: filled(positive, 10000),
  timeout: filled(positive, 60),
  clean_invocation_logs: filled(boolean, false),
})

const sourcesOfCleanups = lenient({
  sources: choose<'*' | readonly string[]>((value) => (typeof value === 'string' ? oneOf('*') : list(text))),
})
const namedCleanups = list(lenient({ source_name: sourceName, event_triggers: list(text) }))
export type SelectedCleanups = Value<typeof sourcesOfCleanups> | Value<typeof namedCleanups>

/** pause_ and resume_event_trigger_cleanups. */
export const eventTriggerCleanupsArgs = lenient({
  event_triggers: choose<SelectedCleanups>((value) =>
    isRecord(value) ? (sourcesOfCleanups as Schema<SelectedCleanups>) : (namedCleanups as Schema<SelectedCleanups>),
  ),
})

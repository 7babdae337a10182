import { perStyle } from '../backend-kind.ts'
import {
  boolean,
  choose,
  exactlyOne,
  filled,
  integer,
  nonEmpty,
  nullable,
  oneOf,
  optional,
  record,
  type Schema,
  text,
  unless,
  type Value,
} from '../shape.ts'
import { cronExpression } from './cron-trigger.ts'
import { headers } from './header.ts'
import type { Columns } from './permission.ts'
import { requestTransform, responseTransform } from './request-transform.ts'

const triggerColumns: Schema<Columns> = choose<Columns>((value) =>
  typeof value === 'string' ? oneOf('*') : nonEmpty(text),
)

export const triggerOperation = record({ columns: triggerColumns, payload: optional(triggerColumns) })
export type TriggerOperation = Value<typeof triggerOperation>

/** Null means no limit, which is not the same as being absent. */
const timeout: Schema<number | null> = choose<number | null>((value) =>
  value === undefined ? filled(integer, 60) : nullable(integer),
)

export const eventRetry = record({
  num_retries: filled(integer, 0),
  interval_sec: filled(integer, 10),
  timeout_sec: timeout,
})

export type EventRetry = Value<typeof eventRetry>

const defaultEventRetry: EventRetry = { num_retries: 0, interval_sec: 10, timeout_sec: 60 }

export const cleanupConfiguration = record({
  schedule: cronExpression,
  clear_older_than: integer,
  batch_size: filled(integer, 10000),
  timeout: filled(integer, 60),
  clean_invocation_logs: filled(boolean, false),
  paused: filled(boolean, false),
})

export type CleanupConfiguration = Value<typeof cleanupConfiguration>

export const eventTriggerName: Schema<string> = text
  .refine(
    (value) => /^[A-Za-z]+[A-Za-z0-9_-]*$/.test(value),
    'only alphanumeric and underscore and hyphens allowed in an event trigger name, and it must start with a letter',
  )
  .refine((value) => value.length <= 42, 'an event trigger name can have at most 42 characters')

export const eventDefinition = record({
  enable_manual: filled(boolean, false),
  insert: optional(triggerOperation),
  update: optional(triggerOperation),
  delete: optional(triggerOperation),
})

export type EventDefinition = Value<typeof eventDefinition>

/**
 * Sends changes of a table to a webhook (reference/metadata-operations#event-triggers,
 * reference/metadata-document#objects).
 */
export const eventTrigger = perStyle((style) =>
  exactlyOne(
    record(
      {
        name: eventTriggerName,
        definition: eventDefinition,
        retry_conf: filled(eventRetry, defaultEventRetry),
        webhook: optional(text),
        webhook_from_env: optional(text),
        headers: unless<Value<typeof headers>>([], headers),
        request_transform: optional(requestTransform),
        response_transform: optional(responseTransform),
        cleanup_config: optional(cleanupConfiguration),
        trigger_on_replication: unless(style === 'dbo', boolean),
        comment: optional(text),
      },
      { aliases: { transform: 'request_transform' } },
    ),
    ['webhook', 'webhook_from_env'],
  ),
)
export type EventTrigger = Value<ReturnType<typeof eventTrigger>>

import { perStyle } from '../backend-kind.ts'
import { withInputForm } from '../input-forms.ts'
import {
  boolean,
  checked,
  choose,
  exactlyOne,
  filled,
  filledList,
  name,
  notNegative,
  nullable,
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
import { withWebhookObject } from './webhook-forms.ts'

const star: Schema<Columns> = withInputForm(
  checked<Columns>(text as Schema<Columns>, (value) => value === '*', 'only * or [] allowed'),
  { schema: { enum: ['*'] } },
)

/** The contract answers at the arguments: two levels above a key of an operation. */
const triggerColumns = (empty: string): Schema<Columns> =>
  choose<Columns>((value) => (typeof value === 'string' ? star : filledList(text, empty, 2)))

export const triggerOperation = record({
  columns: triggerColumns('found empty column specification'),
  payload: optional(triggerColumns('found empty payload specification')),
})

const seconds = notNegative('timeout_sec')

/** Null: none is declared, 60 seconds count, and a late answer is a failure of the connection. */
const timeout: Schema<number | null> = choose<number | null>((value) =>
  value === undefined ? filled(seconds, 60) : nullable(seconds),
)

export const eventRetry = record({
  num_retries: filled(notNegative('num_retries'), 0),
  interval_sec: filled(notNegative('interval_sec'), 10),
  timeout_sec: timeout,
})

export type EventRetry = Value<typeof eventRetry>

const defaultEventRetry: EventRetry = { num_retries: 0, interval_sec: 10, timeout_sec: 60 }

export const cleanupConfiguration = record({
  schedule: cronExpression,
  clear_older_than: notNegative('clear_older_than'),
  batch_size: filled(notNegative('batch_size'), 10000),
  timeout: filled(notNegative('timeout'), 60),
  clean_invocation_logs: filled(boolean, false),
  paused: filled(boolean, false),
})

export type CleanupConfiguration = Value<typeof cleanupConfiguration>

/**
 * Whether a trigger of this name may be created; one of a document is stored whatever its characters are, with a
 * warning.
 */
export const isEventTriggerName = (value: string): boolean => /^[A-Za-z]+[A-Za-z0-9_-]*$/.test(value)

/** Longer names could meet in the names of its SQL triggers, which PostgreSQL cuts. */
const shortName = (schema: Schema<string>): Schema<string> =>
  checked(schema, (value) => value.length <= 42, 'event trigger name can be at most 42 characters', 1)

export const eventTriggerName: Schema<string> = shortName(
  checked(name, isEventTriggerName, 'only alphanumeric and underscore and hyphens allowed for name', 1),
)

export const webhookOfTrigger = {
  keys: ['webhook', 'webhook_from_env'],
  words: {
    none: 'must provide webhook or webhook_from_env',
    several: 'only one of webhook or webhook_from_env should be given',
  },
} as const

export const eventDefinition = record({
  enable_manual: filled(boolean, false),
  insert: optional(triggerOperation),
  update: optional(triggerOperation),
  delete: optional(triggerOperation),
})

/**
 * Sends changes of a table to a webhook (reference/metadata-operations#event-triggers,
 * reference/metadata-document#objects).
 */
export const eventTrigger = perStyle((style) =>
  withWebhookObject(
    exactlyOne(
      record(
        {
          name: shortName(name),
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
      webhookOfTrigger.keys,
      webhookOfTrigger.words,
    ),
  ),
)
export type EventTrigger = Value<ReturnType<typeof eventTrigger>>

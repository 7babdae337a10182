import {
  boolean,
  choose,
  filled,
  integer,
  isRecord,
  json,
  name,
  optional,
  record,
  type Schema,
  text,
  unless,
  type Value,
} from '../shape.ts'
import { headers } from './header.ts'
import { requestTransform, responseTransform } from './request-transform.ts'

export type WebhookAddress = string | { readonly from_env: string }

const fromEnvironment: Schema<WebhookAddress> = record({ from_env: text })

/** A URL, or the environment variable that holds it (seed, Metadata directory, rule 1). */
export const webhookAddress: Schema<WebhookAddress> = choose<WebhookAddress>((value) =>
  isRecord(value) ? fromEnvironment : text,
)

export const scheduleRetry = record({
  num_retries: filled(integer, 0),
  retry_interval_seconds: filled(integer, 10),
  timeout_seconds: filled(integer, 60),
  tolerance_seconds: filled(integer, 21600),
})
export type ScheduleRetry = Value<typeof scheduleRetry>

const defaultRetry: ScheduleRetry = {
  num_retries: 0,
  retry_interval_seconds: 10,
  timeout_seconds: 60,
  tolerance_seconds: 21600,
}

/** Calls a webhook on a schedule (seed, Cron trigger; spec 01 §2.10). */
export const cronTrigger = record({
  name,
  webhook: webhookAddress,
  schedule: text,
  include_in_metadata: boolean,
  payload: optional(json),
  retry_conf: unless<ScheduleRetry>(defaultRetry, scheduleRetry),
  headers: unless<Value<typeof headers>>([], headers),
  comment: optional(text),
  request_transform: optional(requestTransform),
  response_transform: optional(responseTransform),
})
export type CronTrigger = Value<typeof cronTrigger>

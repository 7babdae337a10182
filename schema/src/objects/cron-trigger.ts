import { z } from 'zod'
import { cronScheduleText, nextCronTimes, parseCronSchedule } from '../cron-schedule.ts'
import { withInputForm } from '../input-forms.ts'
import {
  boolean,
  choose,
  filled,
  isRecord,
  json,
  name,
  notNegative,
  optional,
  record,
  type Schema,
  text,
  unless,
  type Value,
} from '../shape.ts'
import { headers } from './header.ts'
import { requestTransform, responseTransform } from './request-transform.ts'
import { fromEnvironment, withWebhookVariable } from './webhook-forms.ts'

export type WebhookAddress = string | { readonly from_env: string }

/** A URL, or the environment variable that holds it. */
export const webhookAddress: Schema<WebhookAddress> = choose<WebhookAddress>((value) =>
  isRecord(value) ? fromEnvironment : text,
)

/** A cron expression that is due at some time, in its canonical form (reference/scheduled-triggers#schedules). */
export const cronExpression: Schema<string> = z.string().transform((given, context): string => {
  const schedule = parseCronSchedule(given)
  if (schedule && nextCronTimes(schedule, 0, 1).length > 0) return cronScheduleText(schedule)
  const message = schedule
    ? `the cron schedule "${given}" is never due`
    : `"${given}" is not a cron schedule: expected five fields separated by one space each, or @daily and the like`
  context.issues.push({ code: 'custom', message, input: given })
  return z.NEVER
})

export const scheduleRetry = record({
  num_retries: filled(notNegative('num_retries'), 0),
  retry_interval_seconds: filled(notNegative('retry_interval_seconds'), 10),
  timeout_seconds: filled(notNegative('timeout_seconds'), 60),
  tolerance_seconds: filled(notNegative('tolerance_seconds'), 21600),
})
export type ScheduleRetry = Value<typeof scheduleRetry>

export const defaultScheduleRetry: ScheduleRetry = {
  num_retries: 0,
  retry_interval_seconds: 10,
  timeout_seconds: 60,
  tolerance_seconds: 21600,
}

/** Where a schema shows the other spelling. */
export const webhookForm = { aliases: { webhook_from_env: 'webhook' } } as const

export const cronTriggerShape = {
  name,
  webhook: webhookAddress,
  schedule: cronExpression,
  include_in_metadata: boolean,
  payload: optional(json),
  retry_conf: unless<ScheduleRetry>(defaultScheduleRetry, scheduleRetry),
  headers: unless<Value<typeof headers>>([], headers),
  comment: optional(text),
  request_transform: optional(requestTransform),
  response_transform: optional(responseTransform),
}

/** Calls a webhook on a schedule (reference/metadata-operations#operations-on-scheduled-triggers). */
export const cronTrigger = withWebhookVariable(withInputForm(record(cronTriggerShape), webhookForm))
export type CronTrigger = Value<typeof cronTrigger>

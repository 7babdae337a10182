import type { ScheduleRetry } from '@svc/schema'
import type { HttpClient } from '../http-client/index.ts'
import type { OneOffEvent, ScheduledEvent, ScheduledOutcome } from '../metadata/index.ts'
import type { Observer } from '../observe/index.ts'
import {
  callWebhook,
  compileTransforms,
  type Environment,
  loggedError,
  loggedRequest,
  resolveWebhook,
  secondsUntilRetry,
  type Webhook,
  type WebhookTransforms,
} from '../webhooks/index.ts'
import { type LiveCronTrigger, retryOf } from './live-cron-trigger.ts'

/** Milliseconds. */
const LONGEST_ATTEMPT = 30 * 60_000

/** What to send where, for one event. */
interface Delivery {
  readonly webhook: Webhook
  readonly transforms: WebhookTransforms | null
  readonly retry: ScheduleRetry
  readonly body: string
  readonly timeoutText: string
}

export interface ScheduledContext {
  readonly client: HttpClient
  readonly environment: Environment
  readonly report: Observer['report']
  readonly trigger: (name: string) => LiveCronTrigger | undefined
}

/**
 * Attempts to deliver an event (reference/scheduled-triggers#at-work). Null: it was cut off, or its trigger is gone.
 * Never rejects.
 */
export async function deliverScheduled(
  event: ScheduledEvent,
  context: ScheduledContext,
  signal: AbortSignal,
): Promise<ScheduledOutcome | null> {
  const { report } = context
  const finish = (
    next: ScheduledOutcome['next'],
    invocation: ScheduledOutcome['invocation'],
    { seconds = null, milliseconds = 0 }: { readonly seconds?: number | null; readonly milliseconds?: number } = {},
  ): ScheduledOutcome => {
    const failed = next === 'error' ? (invocation ? 'failed' : 'undeliverable') : next
    report({
      kind: 'event-attempted',
      of: event.kind === 'cron' ? 'cron-trigger' : 'one-off',
      source: null,
      trigger: event.kind === 'cron' ? event.trigger : null,
      event: event.id,
      tries: event.tries,
      outcome: failed === 'scheduled' ? 'retry' : failed,
      status: invocation?.status ?? null,
      milliseconds,
    })
    return { id: event.id, kind: event.kind, next, seconds, invocation }
  }
  const again = (retry: ScheduleRetry, retryAfter: number | null) =>
    secondsUntilRetry(event.tries, { retries: retry.num_retries, interval: retry.retry_interval_seconds }, retryAfter)

  const prepared = event.kind === 'cron' ? prepareCron(event, context) : prepareOneOff(event, context.environment)
  // returned: an instance that knows the trigger delivers it
  if (prepared === null) return { id: event.id, kind: event.kind, next: 'scheduled', seconds: 60, invocation: null }
  const { retry } = prepared
  if (event.late > retry.tolerance_seconds) return finish('dead', null)
  if (prepared.kind === 'failed') {
    const seconds = again(retry, null)
    return finish(seconds === null ? 'error' : 'scheduled', prepared.invocation, { seconds })
  }
  const { webhook, transforms, body, timeoutText } = prepared.delivery
  const outcome = await callWebhook(context.client, {
    webhook,
    body,
    timeout: Math.min(LONGEST_ATTEMPT, retry.timeout_seconds * 1000),
    timeoutMessage: { message: timeoutText, payload: JSON.stringify({ error: timeoutText }) },
    transforms,
    sessionVariables: null,
    cause: null,
    version: '1',
    purpose: 'scheduled-trigger',
    signal,
  })
  switch (outcome.kind) {
    case 'aborted':
      return null
    case 'untransformable':
      return finish('error', null)
    case 'delivered':
      return finish('delivered', outcome.invocation, outcome)
    case 'failed': {
      const seconds = again(retry, outcome.retryAfter)
      const { milliseconds } = outcome
      return finish(seconds === null ? 'error' : 'scheduled', outcome.invocation, { seconds, milliseconds })
    }
  }
}

type Prepared =
  | { readonly kind: 'ready'; readonly retry: ScheduleRetry; readonly delivery: Delivery }
  | { readonly kind: 'failed'; readonly retry: ScheduleRetry; readonly invocation: ScheduledOutcome['invocation'] }

function prepareCron(
  event: ScheduledEvent & { readonly kind: 'cron' },
  { trigger: find }: ScheduledContext,
): Prepared | null {
  const trigger = find(event.trigger)
  if (!trigger) return null
  const { declared, webhook, transforms } = trigger
  const retry = retryOf(declared)
  const timeoutText = `Cron Scheduled event "${event.id}" of cron trigger "${declared.name}" timed out while processing.`
  const body = JSON.stringify({
    id: event.id,
    scheduled_time: event.scheduledTime,
    name: declared.name,
    payload: declared.payload ?? null,
    ...(declared.comment !== undefined && { comment: declared.comment }),
    ...(declared.request_transform && { request_transform: declared.request_transform }),
    ...(declared.response_transform && { response_transform: declared.response_transform }),
  })
  return { kind: 'ready', retry, delivery: { webhook, transforms, retry, body, timeoutText } }
}

/** Its environment is read now: nothing was checked when it was created. */
function prepareOneOff(event: OneOffEvent, environment: Environment): Prepared {
  const { retry } = event
  const found = resolveWebhook(event.webhook, event.headers, environment)
  const compiled = compileTransforms({
    request_transform: event.requestTransform,
    response_transform: event.responseTransform,
  })
  const failed = (error: string): Prepared => ({
    kind: 'failed',
    retry,
    invocation: {
      status: 500,
      request: loggedRequest(JSON.stringify({ error }), event.headers, '1'),
      response: loggedError(JSON.stringify(error), '1'),
    },
  })
  if (found.kind === 'missing') {
    const variables = found.variables.length > 0 ? found.variables.join(', ') : found.message
    return failed(`Error creating the request. The value for environment variables not found: ${variables}`)
  }
  if (compiled.kind === 'errors') return failed(compiled.message)
  const text = (value: unknown) => JSON.stringify(value)
  const comment = event.comment === null ? '' : `,"comment":${text(event.comment)}`
  // the payload is a JSON text: its numbers keep their digits
  const body = `{"id":${text(event.id)},"scheduled_time":${text(event.scheduledTime)},"created_at":${text(event.createdAt)},"payload":${event.payload}${comment}}`
  const timeoutText = `One-off Scheduled event "${event.id}" timed out while processing.`
  const delivery = { webhook: found.webhook, transforms: compiled.transforms, retry, body, timeoutText }
  return { kind: 'ready', retry, delivery }
}

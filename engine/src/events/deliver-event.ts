import type { ClaimedEvent, EventOutcome } from '../backends/index.ts'
import type { HttpClient } from '../http-client/index.ts'
import type { Observer } from '../observe/index.ts'
import { readTraceJson } from '../tracing/index.ts'
import { callWebhook, secondsUntilRetry } from '../webhooks/index.ts'
import type { LiveTrigger } from './live-trigger.ts'

/** Milliseconds that an attempt may take where its trigger says nothing, and at most. */
const DEFAULT_TIMEOUT = 60_000
const LONGEST_ATTEMPT = 30 * 60_000

/** The body that a webhook gets (reference/event-triggers#payload). Data are JSON texts: numbers keep their digits. */
function eventPayload(event: ClaimedEvent, maxRetries: number): string {
  const { id, createdAt, trigger, table, operation, sessionVariables, data, traceContext, tries } = event
  return `{"id":${JSON.stringify(id)},"created_at":${JSON.stringify(createdAt)},"trigger":{"name":${JSON.stringify(trigger)}},"table":${JSON.stringify(
    { schema: table.schema, name: table.name },
  )},"event":{"op":${JSON.stringify(operation)},"session_variables":${sessionVariables},"data":${data},"trace_context":${traceContext}},"delivery_info":{"current_retry":${tries},"max_retries":${maxRetries}}}`
}

/** Attempts to deliver an event. Null: it was cut off by `signal`. Never rejects. */
export async function deliverEvent(
  client: HttpClient,
  { source, event, trigger }: { readonly source: string; readonly event: ClaimedEvent; readonly trigger: LiveTrigger },
  report: Observer['report'],
  signal: AbortSignal,
): Promise<EventOutcome | null> {
  const { id, tries } = event
  const outcome = await callWebhook(client, {
    webhook: trigger.webhook,
    body: eventPayload(event, trigger.retry.retries),
    timeout: trigger.timeout === null ? DEFAULT_TIMEOUT : Math.min(LONGEST_ATTEMPT, trigger.timeout * 1000),
    timeoutMessage:
      trigger.timeout === null
        ? null
        : { message: `Event Trigger "${trigger.name}" timed out while processing.`, payload: null },
    transforms: trigger.transforms,
    sessionVariables: sessionOf(event.sessionVariables),
    cause: readTraceJson(event.traceContext),
    version: '2',
    purpose: 'event-trigger',
    signal,
  })
  if (outcome.kind === 'aborted') return null
  const attempted = (result: 'delivered' | 'retry' | 'failed' | 'undeliverable', status: number | null, took: number) =>
    report({
      kind: 'event-attempted',
      of: 'event-trigger',
      source,
      trigger: trigger.name,
      event: id,
      tries,
      outcome: result,
      status,
      milliseconds: took,
    })
  switch (outcome.kind) {
    case 'delivered':
      attempted('delivered', outcome.invocation.status, outcome.milliseconds)
      return { id, trigger: trigger.name, next: { kind: 'delivered' }, invocation: outcome.invocation }
    case 'untransformable':
      attempted('undeliverable', null, 0)
      return { id, trigger: trigger.name, next: { kind: 'undeliverable' }, invocation: null }
    case 'failed': {
      const seconds = secondsUntilRetry(tries, trigger.retry, outcome.retryAfter)
      attempted(seconds === null ? 'failed' : 'retry', outcome.invocation.status, outcome.milliseconds)
      const next = seconds === null ? ({ kind: 'failed' } as const) : ({ kind: 'retry', seconds } as const)
      return { id, trigger: trigger.name, next, invocation: outcome.invocation }
    }
  }
}

function sessionOf(text: string): ReadonlyMap<string, string> | null {
  const json: unknown = JSON.parse(text)
  if (typeof json !== 'object' || json === null) return null
  return new Map(Object.entries(json).map(([name, value]) => [name.toLowerCase(), String(value)]))
}

import { addressText, childrenOf, type EventTrigger, type MetadataDocument, objectValue, tablesWith } from '@svc/schema'
import { keptFor } from '../kept-for.ts'
import {
  compileTransforms,
  type Environment,
  type RetryRule,
  resolveWebhook,
  type Webhook,
  type WebhookTransforms,
} from '../webhooks/index.ts'

/** An event trigger whose events are delivered. */
export interface LiveTrigger {
  readonly name: string
  readonly webhook: Webhook
  readonly retry: RetryRule
  /** Seconds for the whole attempt; null: 60 for the response. */
  readonly timeout: number | null
  readonly transforms: WebhookTransforms | null
}

/** What makes a trigger's events undeliverable, or the trigger. */
type ResolvedTrigger =
  | { readonly kind: 'live'; readonly trigger: LiveTrigger }
  | { readonly kind: 'broken'; readonly message: string }

/** A trigger as its metadata declares it, with what the environment says; the same until metadata changes it. */
const resolveTrigger = keptFor((trigger: EventTrigger, environment: Environment): ResolvedTrigger => {
  const { webhook, webhook_from_env: variable, headers = [], retry_conf: retry } = trigger
  const address = variable === undefined ? (webhook ?? '') : { from_env: variable }
  const found = resolveWebhook(address, headers, environment)
  const compiled = compileTransforms(trigger)
  if (found.kind === 'missing') return { kind: 'broken', message: found.message }
  if (compiled.kind === 'errors') return { kind: 'broken', message: compiled.message }
  return {
    kind: 'live',
    trigger: {
      name: trigger.name,
      webhook: found.webhook,
      retry: { retries: retry.num_retries, interval: retry.interval_sec },
      timeout: retry.timeout_sec,
      transforms: compiled.transforms,
    },
  }
})

/** The triggers of a source whose events are delivered, by name. `isServed`: what is inconsistent is not. */
export function liveTriggers(
  document: MetadataDocument,
  source: string,
  environment: Environment,
  isServed: (address: string) => boolean,
): ReadonlyMap<string, LiveTrigger> {
  const live = new Map<string, LiveTrigger>()
  for (const [own, object] of childrenOf(document, 'source')) {
    if (object.value.name !== source) continue
    for (const [ownTable, table] of tablesWith(object, 'event_trigger'))
      for (const [ownTrigger, trigger] of childrenOf(table, 'event_trigger')) {
        const above = { type: 'table', own: ownTable, parent: { type: 'source', own, parent: null } } as const
        if (!isServed(addressText({ type: 'event_trigger', own: ownTrigger, parent: above }))) continue
        const found = resolveTrigger(objectValue(trigger, 'event_trigger'), environment)
        if (found.kind === 'live') live.set(found.trigger.name, found.trigger)
      }
  }
  return live
}

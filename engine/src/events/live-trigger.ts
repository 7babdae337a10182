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

/**
 * A trigger as its metadata declares it, with what the environment says; the same until metadata changes it. Null: its
 * events cannot be delivered.
 */
const resolveTrigger = keptFor((trigger: EventTrigger, environment: Environment): LiveTrigger | null => {
  const { webhook, webhook_from_env: variable, headers = [], retry_conf: retry } = trigger
  const address = variable === undefined ? (webhook ?? '') : { from_env: variable }
  const found = resolveWebhook(address, headers, environment)
  const compiled = compileTransforms(trigger)
  if (found.kind === 'missing' || compiled.kind === 'errors') return null
  return {
    name: trigger.name,
    webhook: found.webhook,
    retry: { retries: retry.num_retries, interval: retry.interval_sec },
    timeout: retry.timeout_sec,
    transforms: compiled.transforms,
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
        if (found) live.set(found.name, found)
      }
  }
  return live
}

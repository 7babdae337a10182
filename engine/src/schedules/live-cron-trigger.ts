import {
  addressText,
  type CronTrigger,
  childrenOf,
  defaultScheduleRetry,
  type MetadataDocument,
  objectValue,
} from '@svc/schema'
import { keptFor } from '../kept-for.ts'
import {
  compileTransforms,
  type Environment,
  resolveWebhook,
  type Webhook,
  type WebhookTransforms,
} from '../webhooks/index.ts'

/** A cron trigger whose events are delivered. */
export interface LiveCronTrigger {
  readonly declared: CronTrigger
  readonly webhook: Webhook
  readonly transforms: WebhookTransforms | null
}

/** A cron trigger as metadata declares it, with what the environment says. Null: its events cannot be delivered. */
const resolveCronTrigger = keptFor((declared: CronTrigger, environment: Environment): LiveCronTrigger | null => {
  const found = resolveWebhook(declared.webhook, declared.headers ?? [], environment)
  const compiled = compileTransforms(declared)
  if (found.kind === 'missing' || compiled.kind === 'errors') return null
  return { declared, webhook: found.webhook, transforms: compiled.transforms }
})

export const retryOf = (declared: CronTrigger): typeof defaultScheduleRetry =>
  declared.retry_conf ?? defaultScheduleRetry

/** The triggers whose events are delivered, by name. `isServed`: what is inconsistent is not. */
export function liveCronTriggers(
  document: MetadataDocument,
  environment: Environment,
  isServed: (address: string) => boolean,
): ReadonlyMap<string, LiveCronTrigger> {
  const live = new Map<string, LiveCronTrigger>()
  for (const [own, object] of childrenOf(document, 'cron_trigger')) {
    if (!isServed(addressText({ type: 'cron_trigger', own, parent: null }))) continue
    const found = resolveCronTrigger(objectValue(object, 'cron_trigger'), environment)
    if (found) live.set(found.declared.name, found)
  }
  return live
}

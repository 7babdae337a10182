import { filled, identifying } from './attributes-of.ts'
import { defineResource } from './define-resource.ts'
import { comment } from './in-table.ts'
import { op } from './operation.ts'
import { scheduledCall, scheduledCallCodecs } from './scheduled-call.ts'
import { webhookAddress } from './webhook-address.ts'
import { transformsOfJson } from './webhook-transform.ts'

/** Calls a webhook on a schedule (reference/metadata-operations#operations-on-scheduled-triggers). */
export const cronTrigger = defineResource({
  kind: 'CronTrigger',
  type: 'cron_trigger',
  description: 'A webhook that the engine calls on a schedule.',
  inputs: {
    name: identifying('Its name.'),
    ...webhookAddress('REPORTS_URL', 'webhook.from_env'),
    schedule: filled('When it is called, in UTC: five fields as of cron, or `@daily` and the like.'),
    ...scheduledCall,
    comment,
  },
  identity: ['name'],
  example: ['daily_report'],
  // what exports leave out no one could compare with
  fixed: { include_in_metadata: true },
  exactlyOne: [['webhook', 'webhook_from_env']],
  codecs: scheduledCallCodecs,
  create: (now) => [op('create_cron_trigger', now)],
  update: (_, now) => [op('create_cron_trigger', { ...now, replace: true })],
  delete: ({ name = null }) => [op('delete_cron_trigger', { name })],
  upgrades: [transformsOfJson],
})

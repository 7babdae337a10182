import { filled, identifying } from './attributes-of.ts'
import { defineResource } from './define-resource.ts'
import { comment } from './in-table.ts'
import { op } from './operation.ts'
import { outgoingHeaders } from './outgoing-header.ts'
import { scheduleRetry } from './schedule-retry.ts'
import { webhookAddress } from './webhook-address.ts'
import { requestTransform, responseTransform, transformCodecs, transformsOfJson } from './webhook-transform.ts'
import { addedHeadersWriteOnly, headersWriteOnly, headersWriteOnlyCodec } from './write-only-form.ts'

/** Calls a webhook on a schedule (reference/metadata-operations#operations-on-scheduled-triggers). */
export const cronTrigger = defineResource({
  kind: 'CronTrigger',
  type: 'cron_trigger',
  description: 'A webhook that the engine calls on a schedule.',
  inputs: {
    name: identifying('Its name.'),
    ...webhookAddress('REPORTS_URL', 'webhook.from_env'),
    schedule: filled('When it is called, in UTC: five fields as of cron, or `@daily` and the like.'),
    payload: { description: 'What is sent, as JSON.', json: 'text' },
    headers: outgoingHeaders('Headers it is called with.'),
    ...headersWriteOnly('headers', 'headers'),
    retry_conf: scheduleRetry,
    request_transform: requestTransform,
    ...addedHeadersWriteOnly,
    response_transform: responseTransform,
    comment,
  },
  identity: ['name'],
  example: ['daily_report'],
  // what exports leave out no one could compare with
  fixed: { include_in_metadata: true },
  exactlyOne: [['webhook', 'webhook_from_env']],
  codecs: {
    headers_wo: headersWriteOnlyCodec,
    webhook: { decode: (webhook) => (typeof webhook === 'string' ? webhook : undefined) },
    ...transformCodecs,
  },
  create: (now) => [op('create_cron_trigger', now)],
  update: (_, now) => [op('create_cron_trigger', { ...now, replace: true })],
  delete: ({ name = null }) => [op('delete_cron_trigger', { name })],
  upgrades: [transformsOfJson],
})

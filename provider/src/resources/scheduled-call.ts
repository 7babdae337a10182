import type { InputDeclaration, Inputs } from './attributes-of.ts'
import type { Codec } from './define-resource.ts'
import { outgoingHeaders } from './outgoing-header.ts'
import { requestTransform, responseTransform, transformCodecs } from './webhook-transform.ts'
import { addedHeadersWriteOnly, headersWriteOnly, headersWriteOnlyCodec } from './write-only-form.ts'

const retry: InputDeclaration = {
  description: 'What happens when a call fails.',
  typeName: 'ScheduleRetry',
  of: {
    num_retries: 'How often a failed call is tried again.',
    retry_interval_seconds: 'Seconds between two tries.',
    timeout_seconds: 'Seconds a call may take.',
    tolerance_seconds: 'Seconds after which a call that is overdue is dropped.',
  },
}

/** How cron triggers and one-off events call their webhook. */
export const scheduledCall: Inputs = {
  payload: { description: 'What is sent, as JSON.', json: 'text' },
  headers: outgoingHeaders('Headers it is called with.'),
  ...headersWriteOnly('headers', 'headers'),
  retry_conf: retry,
  request_transform: requestTransform,
  ...addedHeadersWriteOnly,
  response_transform: responseTransform,
}

/** Of these attributes, and of the webhook. */
export const scheduledCallCodecs: Readonly<Record<string, Codec>> = {
  headers_wo: headersWriteOnlyCodec,
  webhook: { decode: (webhook) => (typeof webhook === 'string' ? webhook : undefined) },
  ...transformCodecs,
}

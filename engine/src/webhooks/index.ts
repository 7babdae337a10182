/**
 * webhooks: what event triggers, cron triggers and one-off events share: calling a webhook, what is stored of the call,
 * when it is tried again, and which of several instances are alive. Begin at call-webhook.ts. Imports http-client,
 * tracing, transforms and observe. Knows no metadata, and of databases only the SQL of instances.
 */
export { callWebhook } from './call-webhook.ts'
export { beatText, buryText } from './instance-statements.ts'
export { loggedError, loggedRequest } from './invocation.ts'
export type { InstanceHeartbeat } from './liveness.ts'
export { type RetryRule, secondsUntilRetry } from './next-attempt.ts'
export { QueueDelivery, type SharedQueue } from './queue-delivery.ts'
export { compileTransforms, type WebhookTransforms } from './transforms.ts'
export { type Environment, resolveWebhook, type Webhook } from './webhook.ts'
export { Workers } from './workers.ts'

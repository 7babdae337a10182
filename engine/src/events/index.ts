/**
 * events: event triggers at work (reference/event-triggers). Begin at event-delivery.ts (which sources have events to
 * deliver) and source-delivery.ts (claim, call, store); trigger-effects.ts is what triggers do to their databases.
 * Imports webhooks, backends, changes, metadata, http-client and observe. Knows no HTTP server.
 */

export { EventDelivery } from './event-delivery.ts'

export { eventOperations } from './operations.ts'
export { eventTriggerEffects } from './trigger-effects.ts'

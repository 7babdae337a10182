/**
 * actions: calls to handlers (reference/actions#the-request-to-a-handler, reference/actions#answers-of-handlers) and
 * asynchronous actions (§2.8). Begin at call-handler.ts. Imports http-client, transforms, model and metadata's log of
 * actions. Knows no GraphQL documents.
 */

export { type ActionPoller, type PollerOptions, type ProcessedAction, startActionPoller } from './action-poller.ts'
export { type ActionCall, callHandler, type HandlerAnswer, type HandlerServices } from './call-handler.ts'
export { HandlerError } from './handler-error.ts'
export { handlerHeaders } from './handler-headers.ts'

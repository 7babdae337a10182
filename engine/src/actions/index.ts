/**
 * actions: calls to handlers (reference/actions#the-request-to-a-handler, reference/actions#answers-of-handlers) and
 * asynchronous actions (§2.8). Begin at call-handler.ts. Imports http-client, transforms, model and metadata's log of
 * actions. Knows no GraphQL documents.
 */

export { startActionPoller } from './action-poller.ts'
export { callHandler, type HandlerServices } from './call-handler.ts'

export { handlerHeaders } from './handler-headers.ts'

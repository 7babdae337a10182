/**
 * subscriptions: live queries and streams, polled for many subscribers at once (reference/subscriptions,
 * reference/websockets#rules-of-operations). Begin at subscriptions.ts, which finds each subscriber the poller of its
 * statement; poller.ts queries the database for all cohorts of a statement; deliver-live.ts and deliver-batch.ts say
 * who gets what. Imports execute, graphql, model, backends, observe, errors. Knows no sockets.
 */
export type { SubscriptionDump } from './dump-pollers.ts'
export type { SubscriberEvents } from './subscriber.ts'
export { Subscriptions } from './subscriptions.ts'

/**
 * execute: from a GraphQL request to bytes. Begin at execute-graphql.ts: the plan is found or made, slots are bound,
 * the statements are sent to the sources, and their JSON goes into the answer unparsed. Imports graphql, model,
 * backends, errors. Knows no HTTP: it throws ApiErrors.
 */

export { type Allowance, answerAllowance, valuesAllowance } from './allowance.ts'

export { bindValue } from './bind.ts'
export { notThrough, requireOpen } from './check-draft.ts'
export {
  executeGraphql,
  type GraphqlAnswer,
} from './execute-graphql.ts'
export { explainGraphql, parseExplainRequest } from './explain-graphql.ts'
export {
  bindSubscription,
  findSubscription,
  routedSubscription,
  type SubscriptionRequest,
  type SubscriptionValues,
  servesStill,
} from './find-subscription.ts'
export { createGraphqlCaches, type GraphqlCaches } from './graphql-caches.ts'

export { type GraphqlRequest, isSubscription, parseGraphqlRequest } from './graphql-request.ts'
export { type LogQuery, loggedStatement } from './log-query.ts'
export type { PreparedPoll, PreparedSubscription, StreamCursor } from './prepared-subscription.ts'
export { insertUnit, writeUnit } from './row-units.ts'
export type { ActionServices } from './run-action.ts'
export type { RemoteServices } from './run-remote.ts'
export { routedConnection, routeOf, sourceConnection } from './source-connection.ts'
export type { PlannedOperation, Tally, TallyOf } from './tally.ts'
export { validateInput } from './validate-input.ts'
export { runUnits, type TraceOf, type Validation, type WriteUnit } from './write-unit.ts'

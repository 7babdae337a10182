import { OperationTypeNode } from 'graphql'
import { type GraphqlSettings, operationKind } from '../graphql/index.ts'
import type { GraphqlRequest } from './graphql-request.ts'

/** Whether the chosen operation is a subscription. Throws as parsing and choosing do, where it has to parse. */
export function isSubscription(request: GraphqlRequest, settings: GraphqlSettings): boolean {
  return request.query.includes('subscription') && operationKind(request, settings) === OperationTypeNode.SUBSCRIPTION
}

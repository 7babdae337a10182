import { IntrospectionCache } from '../graphql/index.ts'
import { PlanCache } from './plan-cache.ts'
import type { PreparedSubscription } from './prepared-subscription.ts'

/** What requests leave for each other; lives as long as the server. */
export interface GraphqlCaches {
  readonly plans: PlanCache
  readonly subscriptions: PlanCache<PreparedSubscription>
  readonly introspection: IntrospectionCache
}

const megabyte = 1024 * 1024

export const createGraphqlCaches = (): GraphqlCaches => ({
  plans: new PlanCache(64 * megabyte),
  subscriptions: new PlanCache(64 * megabyte),
  introspection: new IntrospectionCache(64 * megabyte),
})

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

/** `megabytes`: of each. */
export const createGraphqlCaches = (megabytes = 64): GraphqlCaches => ({
  plans: new PlanCache(megabytes * megabyte),
  subscriptions: new PlanCache(megabytes * megabyte),
  introspection: new IntrospectionCache(megabytes * megabyte),
})

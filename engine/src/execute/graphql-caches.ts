import { IntrospectionCache } from '../graphql/index.ts'
import { PlanCache } from './plan-cache.ts'

/** What requests leave for each other; lives as long as the server. */
export interface GraphqlCaches {
  readonly plans: PlanCache
  readonly introspection: IntrospectionCache
}

export interface CacheSizes {
  readonly planBytes: number
  readonly introspectionBytes: number
}

const megabyte = 1024 * 1024
export const defaultCacheSizes: CacheSizes = { planBytes: 64 * megabyte, introspectionBytes: 64 * megabyte }

export function createGraphqlCaches(sizes: CacheSizes = defaultCacheSizes): GraphqlCaches {
  return {
    plans: new PlanCache(sizes.planBytes),
    introspection: new IntrospectionCache(sizes.introspectionBytes),
  }
}

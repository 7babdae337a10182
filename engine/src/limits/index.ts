/**
 * limits: which requests metadata's `api_limits` allow a role (reference/http#limits-and-federation). Begin at
 * request-limits.ts. Imports errors, session, graphql (documents), execute (requests).
 */
export { RequestLimits } from './request-limits.ts'
export { RequestRate } from './request-rate.ts'

/**
 * limits: what metadata's `api_limits` allow a role to ask (spec 04 §10). Begin at request-limits.ts.
 * Imports errors, session, graphql (documents), execute (requests).
 */
export { RequestLimits } from './request-limits.ts'
export { RequestRate } from './request-rate.ts'

/**
 * http: requests in, answers out, nothing in between. Begin at answer-request.ts, the way of every request; routes.ts is
 * the table of endpoints.
 */
export { clientAddress } from './client-address.ts'
export { draftAddress, draftHeader } from './draft-address.ts'
export { unexpectedError } from './error-reply.ts'
export { listen } from './http-server.ts'
export { originPolicy } from './origin-policy.ts'
export { isLongBody, parseJson, parseLongJson } from './read-body.ts'
export { requestIdOf } from './request-id.ts'
export type { Services } from './services.ts'

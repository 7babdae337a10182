/**
 * admin: the life of a metadata request. Begin at metadata-service.ts: it holds the served state and answers
 * /v1/metadata, /v1/query and /v2/query.
 * Imports metadata, model, sources, backends, observe and errors. Knows no HTTP.
 */
export type { AdminAnswer, AdminEndpoint, RequestFacts, ServedState } from './answer.ts'

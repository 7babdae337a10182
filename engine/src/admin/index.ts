/**
 * admin: the life of a metadata request. Begin at metadata-service.ts: it answers /v1/metadata, /v1/query and /v2/query
 * and holds the served state; evaluate.ts runs a request on a draft, write-request.ts stores and serves the outcome.
 * Imports metadata, model, sources, backends, observe and errors. Knows no HTTP.
 */
export type { AdminAnswer, AdminEndpoint, RequestFacts, ServedState } from './answer.ts'
export { MetadataService, type MetadataServiceOptions } from './metadata-service.ts'

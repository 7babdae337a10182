/**
 * admin: answers /v1/metadata, /v1/query and /v2/query. Begin at metadata-service.ts.
 * Imports dry-run, requests, changes, session and errors. Knows no HTTP.
 */

export {
  type AdminAnswer,
  type AdminEndpoint,
  type RequestFacts,
  requireExplainedRole,
  requireScope,
} from '../requests/index.ts'
export { MetadataService } from './metadata-service.ts'
export { referenceAnswer, referenceConvention } from './reference-answer.ts'

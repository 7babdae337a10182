/**
 * drafts: proposed metadata stored in the catalogue, served as a model next to the live one and applied by its hash.
 * Begin at make-draft.ts, draft-models.ts and stored-request.ts. Imports preview, requests, changes, metadata and
 * errors. Knows no HTTP and runs no GraphQL.
 */
export { type DraftModel, DraftModels } from './draft-models.ts'
export { draftOperations } from './draft-operations.ts'
export { makeDraft } from './make-draft.ts'
export { readStoredRequest } from './stored-request.ts'

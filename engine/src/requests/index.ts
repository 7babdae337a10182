/**
 * requests: the requests of /v1/metadata, /v1/query and /v2/query, decoded and run. Begin at read-request.ts (a body to
 * a command) and evaluate.ts (a command on a draft); write-request.ts stores and serves the outcome. Imports changes,
 * metadata, model, sources and errors. Knows no HTTP.
 */
export type { AdminAnswer, AdminEndpoint, RequestFacts } from './answer.ts'
export { asksForRows } from './asks-for-rows.ts'
export { type AuthorizedRequest, detailed } from './authorized-request.ts'
export { type AdminRequest, adminOnly, type BulkCommand, type Command, changesSomething, modifies } from './command.ts'
export { commandContext } from './command-context.ts'
export { type CommandContext, evaluate, moveTo, rereadAhead } from './evaluate.ts'
export { requireExplainedRole, requireScope } from './granted-changes.ts'
export { noteEffects, noteRan } from './note-effects.ts'
export { objectNameAt } from './object-name-at.ts'
export type { Outcome } from './outcome.ts'
export {
  defineRead,
  defineSourceRead,
  type ReadContext,
  type ReadOperation,
  type SourceRead,
} from './read-operation.ts'
export { readRequest } from './read-request.ts'
export type { Reads } from './read-table.ts'
export { refuseStale } from './refuse-stale.ts'
export { noEffects } from './request-effects.ts'
export { type RequestTable, requestTable, storedRequestTypes } from './request-table.ts'
export { requireGranted } from './require-granted.ts'
export { writeRequest } from './write-request.ts'

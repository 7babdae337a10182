/**
 * changes: a change of metadata from a draft to what is stored and served. Begin at draft.ts (what a request has made
 * so far) and served-metadata.ts (what is served, and how a draft replaces it); check-consistency.ts says what refuses
 * a draft, source-states.ts and adapt-to-schema.ts keep it right for the databases. Imports metadata, model, sources,
 * backends, observe and errors. Knows no requests and no HTTP.
 */
export type { ChangedBy } from './attribute-changes.ts'
export {
  type AtomicMember,
  checkEndState,
  checkNoNew,
  checkNone,
  checkObject,
  InconsistencyError,
  newlyInconsistent,
  objectsOf,
} from './check-consistency.ts'
export { type Draft, isNotServed, withCurrentModel, withCurrentModelInStretches } from './draft.ts'
export { type EarlyEffects, keepEarly, runEffectsEarly, takeBackEarly } from './early-effects.ts'
export { defineEffects, type SourceEffects } from './effects/effect-handler.ts'
export type { PlacedObject } from './effects/transition.ts'
export { Mutex } from './lock.ts'
export { outcomeOf } from './outcome-of.ts'
export { followRemotes, reloadRemotes } from './remote-states.ts'
export {
  checksMetadata,
  type RunSqlRequest,
  readySource,
  runCheckedSql,
  runPlainSql,
  type UpdateDraft,
} from './run-sql.ts'
export { ServedMetadata, type ServedOptions, type ServedState } from './served-metadata.ts'
export { follow, reload, rereadChangedTables, rereadTables } from './source-states.ts'
export { restoreEffects, type StoredChange, storeChange, takeBack } from './store-change.ts'
export { yielding } from './yield-regularly.ts'

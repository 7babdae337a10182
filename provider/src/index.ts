/**
 * provider: for programs that declare metadata as `svc` does: read a directory, read an engine, plan, apply object by
 * object.
 */
export {
  actorOf,
  ClientError,
  type Connection,
  createMetadataClient,
  type MetadataClient,
} from './client/index.ts'
export {
  type Applied,
  applyPlan,
  applySteps,
  countChanges,
  type Plan,
  type PlannedChange,
  planChanges,
  readInconsistent,
  readLive,
  renderChange,
  type StepProgress,
  walkObjects,
} from './core/index.ts'
export { DirectoryError, readMetadataFrom, writeMetadataTo } from './directory/index.ts'

/**
 * migrations: SQL in files and what of it a source has. Begin at migrator.ts. Imports client and directory; knows no
 * command line.
 */
export { dumpSchemas } from './dump-schemas.ts'
export {
  createMigration,
  deleteMigration,
  readMigrations,
  refuseOtherFiles,
  sourcesOf,
  writeMigration,
} from './migration-files.ts'
export { forgetVersions, type Outcome, readState, reconcileState, runSteps } from './migrator.ts'
export { type Choice, planSteps, type Step } from './plan-steps.ts'
export type { SourceState } from './source-state.ts'
export { squashMigrations } from './squash.ts'

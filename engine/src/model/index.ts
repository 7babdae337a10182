/**
 * model: what metadata means on the databases as they are, kept up to date change by change. Begin at update-model.ts.
 * Imports schema, errors, ir, backends and sources. Knows no GraphQL document and no store.
 */
export type {
  Dependent,
  Fault,
  FaultCause,
  InconsistentObject,
  Model,
  ModelInput,
  ModelSettings,
  ResolvedColumn,
  ResolvedRelationship,
  ResolvedRootField,
  ResolvedSelectPermission,
  ResolvedTable,
  RootFieldKind,
  RootFieldOwner,
  TableId,
} from './model.ts'
export { addressOfTable, tableIdOf } from './table-id.ts'
export { updateModel } from './update-model.ts'

/**
 * model: what metadata means on the databases as they are, kept up to date change by change. Begin at update-model.ts.
 * Imports schema, errors, ir, backends and sources. Knows no GraphQL document and no store.
 */

export { dependent } from './dependents/dependent.ts'
export { dependentsOf } from './dependents/dependents-of.ts'
export type { Fault, InconsistentObject } from './fault.ts'
export { inconsistentObjects } from './inherit/inconsistent-objects.ts'
export { hasRole, type InheritedRole } from './inherit/inherited-role.ts'
export { permissionConflicts } from './inherit/permission-conflicts.ts'
export { type SelectGrant, selectGrant } from './inherit/select-grant.ts'
export { writeGrant } from './inherit/write-grant.ts'
export type { Model } from './model.ts'
export { rowsOf } from './model.ts'
export type { ModelInput, ModelSettings } from './model-settings.ts'
export { federationNames } from './names/reserved-names.ts'
export {
  generatedType,
  rootFieldName,
  rootKey,
  rootPlace,
} from './naming/source-naming.ts'
export { fieldName, type NamePiece, type NamingConvention, typeName } from './naming/spell.ts'
export type { TableId } from './object-ids.ts'
export { actionPart } from './parts/action/action-part.ts'
export type {
  ActionBase,
  ActionField,
  ActionObject,
  ActionRelationship,
  ActionTypes,
  ResolvedAction,
} from './parts/action/resolved-action.ts'
export { visibleAction } from './parts/action/visible-action.ts'
export { unfilteredPermissions } from './parts/permission/unfiltered-select-permission.ts'
export {
  haveSameRoots,
  newQueryWarnings,
  type StoredQueryCheck,
} from './parts/query-collection/check-stored-queries.ts'
export type {
  FixedValue,
  ResolvedRemoteRelationship,
  ResolvedTypeRelationship,
  ToRemoteField,
  ToTable,
} from './parts/remote-relationship/resolved-remote-relationship.ts'
export { typeRelationship, typeRelationships } from './parts/remote-relationship/type-relationship-part.ts'

export { type VisibleRemote, visibleRemote } from './parts/remote-schema/visible-remote.ts'
export type { ResolvedRestEndpoint, RestMethod } from './parts/rest-endpoint/rest-endpoint.ts'
export { partValues } from './parts/values.ts'
export { plannedFault } from './planned-fault.ts'
export { comparedWithConstants } from './rename/compared-with-constants.ts'

export { renameInDatabase } from './rename/rename-in-database.ts'
export { renameRelationship } from './rename/rename-relationship.ts'
export { resolveWhere, siblingTable } from './resolve/resolve-where.ts'
export type { ResolvedArgument, ResolvedFunction } from './resolved-function.ts'
export type { ResolvedNativeQuery, ResolvedProcedure } from './resolved-native-query.ts'
export type { InputValidation, Preset, ResolvedInsertPermission } from './resolved-permission.ts'
export type {
  NestedRows,
  ResolvedColumn,
  ResolvedComputedField,
  ResolvedEnum,
  ResolvedRelationship,
  ResolvedRows,
  ResolvedTable,
  ResolvedUniqueKey,
} from './resolved-rows.ts'
export type {
  FunctionField,
  MutationFieldKind,
  MutationFieldOwner,
  NativeQueryField,
  QueryFieldOwner,
  RemoteRootField,
  RootFieldKind,
  RootFieldOwner,
  RootName,
  TableMutationField,
} from './root-owner.ts'
export { givenByEngine, rowCall } from './row-call.ts'
export { siblingTableId } from './table-id.ts'
export { plainReason } from './update/record-fault.ts'
export { updateModel, updateModelInPieces } from './update-model.ts'

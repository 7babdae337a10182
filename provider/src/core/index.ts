/**
 * core: what to do, whatever tool requests it. Begin at plan.ts (two documents -> ordered changes with their
 * operations), apply-plan.ts (one request) and drift.ts. Imports client; prints nothing.
 */

export {
  exportLive,
  type LiveMetadata,
  type LoggedChange,
  liveOf,
  type ObservedRequest,
  readChanges,
  readLive,
  readLiveFor,
} from '../client/index.ts'
export {
  type Attribute,
  type Attributes,
  type AttributeType,
  innermost,
  isValues,
  unknown,
  type Value,
  type Values,
} from '../resources/index.ts'
export {
  type Applied,
  type ApplyOptions,
  applyPlan,
  type InconsistentObject,
  inconsistentObjects,
  type ObjectResult,
} from './apply-plan.ts'
export { applySteps, type StepProgress } from './apply-steps.ts'
export { pathText } from './attribute-path.ts'
export {
  declaresAgain,
  hashObjects,
  withoutCommon,
} from './common-objects.ts'
export { createProvider, type Provider } from './create-provider.ts'
export { providerDeclaration } from './declarations.ts'
export { errorOf } from './diagnostic.ts'
export { type Difference, differences } from './differences.ts'
export { findDeclared, findObject, wholeOf } from './document-objects.ts'
export { attribute, type DriftedObject, driftFromDirectory, driftFromLog } from './drift.ts'
export { type DryRunWishes, dryRunPlan } from './dry-run.ts'
export { fillDefaults } from './fill-defaults.ts'
export { hideSecrets, hideTexts } from './hide-secrets.ts'
export { notServedYet } from './not-served.ts'
export { idsOfKind, objectById } from './objects-of-kind.ts'
export { type Plan, type PlannedChange, planChanges } from './plan.ts'
export { previewText } from './preview-text.ts'
export type {
  DataDeclaration,
  Diagnostic,
  KindDeclaration,
  Made,
  PlanRequest,
  PlanResult,
  ProviderDeclaration,
  StateResult,
} from './provider.ts'
export { readInconsistent } from './read-inconsistent.ts'
export { reconcile } from './reconcile.ts'
export { hidePasswords, holdsPassword, redactDocument, redactLogged } from './redact.ts'
export { targetsOf } from './references.ts'
export { countChanges, type Paint, plain, renderChange, renderDifference } from './render-changes.ts'
export { foreignVariable, foreignVariableMessage, isKnownVariable } from './session-variables.ts'
export { variableOf } from './settings.ts'
export { variantIn } from './source-kinds.ts'
export { readState, refuseOtherFile, StateError, writeState } from './state-file.ts'
export { type ParallelismOption, toolParallelism } from './tool-parallelism.ts'
export { upgradeState } from './upgrade-state.ts'
export { type PlacedObject, walkObjects } from './walk-objects.ts'

/**
 * graphql: what a role sees of the model, and documents over it. Begin at plan/plan-operation.ts: one walk over a
 * document validates it and plans it to IR; types/ makes the types it walks along, when a request first needs them;
 * selection/ reads selection sets, arguments and variables against them; introspection/ prints the same types; comparison/
 * says how they changed. Folders import downwards: document, types, selection, introspection, comparison, plan, stored-query.
 * Imports model, backends, ir, errors. Runs nothing.
 */
export { compareSchemas } from './comparison/compare-schemas.ts'
export { changedFor, type ModelPair, modelPair } from './comparison/model-pair.ts'
export type { SchemaChange } from './comparison/schema-change.ts'
export { operationKind } from './document/operation-kind.ts'
export { parseDocument } from './document/parse-document.ts'
export { IntrospectionCache } from './introspection/introspection-cache.ts'
export { newPrintContext } from './introspection/plan-introspection.ts'
export { hasSubscriptionRoot } from './introspection/root-types.ts'
export { coerceActionInput } from './plan/action-input.ts'
export { checkVariables } from './plan/check-variables.ts'
export { columnOperand } from './plan/column-operand.ts'
export { insertTarget } from './plan/insert-target.ts'
export type {
  OperationPlan,
  PlannedInsert,
  PlannedRoot,
  PlannedUpdates,
  PlannedValidation,
} from './plan/operation-plan.ts'
export { checkPermitted } from './plan/permitted-input.ts'
export type { ActionOutput, PlannedAction } from './plan/plan-action.ts'
export type { PlannedJoin } from './plan/plan-join.ts'
export { joinVariable, type KeyedRows } from './plan/plan-keyed-rows.ts'
export { planLong, planOperation } from './plan/plan-operation.ts'
export type { FixedArgument, PlannedRemoteJoin } from './plan/plan-remote-join.ts'
export { planSubscription, type SubscriptionPlan, type SubscriptionRoot } from './plan/plan-subscription.ts'
export { emptyAnswer } from './plan/plan-write-answer.ts'
export { readInsert } from './plan/read-insert.ts'
export { atUpdate, hasShape, planUpdateShape, type UpdateShape, updateValues } from './plan/read-update.ts'
export type { PlannedRemote, VariableDefaults } from './plan/remote-walk.ts'
export { coerce, coerceLong } from './plan/scalar-value.ts'
export type { AskedParts, AskedPermission } from './selection/asked-parts.ts'
export { holds, type VariableValues, valueAt } from './selection/guard.ts'
export { Repeated } from './selection/repeated.ts'
export { filledSize, fillTemplate, type Template } from './selection/template.ts'
export { type PermittedUse, type PlanFor, permittedUse, sameUses } from './selection/uses.ts'
export { defaultGraphqlSettings, type GraphqlSettings } from './settings.ts'
export { checkQuery, rootTypes } from './stored-query/check-query.ts'
export { normalText } from './stored-query/normal-text.ts'
export { storedQueryCheck } from './stored-query/stored-query-check.ts'
export { type RoleSchema, roleSchema } from './types/role-schema.ts'
export type { RoleColumn, RoleTable } from './types/role-table.ts'
export { stringRef } from './types/scalar-types.ts'
export type { Api } from './types/table-types.ts'
export { listOf, type NamedRef, type NamedType, namedOf, nonNull, type TypeRef, type TypeSource } from './types/type.ts'
export { type RowAccess, rowAccess } from './types/visible-table.ts'
export type { WriteTable } from './types/write-table.ts'

/**
 * graphql: what a role sees of the model, and documents over it. Begin at plan/plan-operation.ts: one walk over a
 * document validates it and plans it to IR; types/ makes the types it walks along, when a request first needs them;
 * introspection/ prints the same types. Imports model, backends, ir, errors. Runs nothing.
 */
export { operationKind } from './document/operation-kind.ts'
export { parseDocument } from './document/parse-document.ts'
export { IntrospectionCache } from './introspection/introspection-cache.ts'
export { introspectionWorld } from './introspection/plan-introspection.ts'
export { hasSubscriptionRoot } from './introspection/root-types.ts'
export { checkVariables } from './plan/check-variables.ts'
export { type Guard, holds, type VariableValues, valueAt } from './plan/guard.ts'
export type { Plan, PlannedInsert, PlannedRoot, WriteGroup } from './plan/plan.ts'
export { type OperationRequest, planOperation } from './plan/plan-operation.ts'
export { planSubscription, type SubscriptionPlan, type SubscriptionRoot } from './plan/plan-subscription.ts'
export { emptyAnswer } from './plan/plan-write.ts'
export { type ReadInsert, readInsert } from './plan/read-insert.ts'
export { coerce } from './plan/scalar-value.ts'
export { filledSize, fillTemplate, type Template } from './plan/template.ts'
export { type PlanFor, sameUses } from './plan/uses.ts'
export { defaultGraphqlSettings, type GraphqlSettings } from './settings.ts'
export { checkQuery } from './stored-query/check-query.ts'
export { normalText } from './stored-query/normal-text.ts'
export { rootTypes } from './stored-query/root-types.ts'
export { storedQueryCheck } from './stored-query/stored-query-check.ts'
export { type RoleSchema, roleSchema } from './types/role-schema.ts'
export { stringRef } from './types/scalar-types.ts'
export type { Api } from './types/table-types.ts'
export { listOf, type NamedRef, type NamedType, namedOf, nonNull, type TypeRef, type TypeSource } from './types/type.ts'

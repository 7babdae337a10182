import {
  type Api,
  checkVariables,
  type GraphqlSettings,
  parseDocument,
  planSubscription,
  roleSchema,
} from '../graphql/index.ts'
import type { HttpHeader } from '../http-client/index.ts'
import type { Model } from '../model/index.ts'
import type { Session } from '../session.ts'
import { valuesAllowance } from './allowance.ts'
import { checkAllowed } from './allowlist.ts'
import { bindValue } from './bind.ts'
import { counted } from './find-plan.ts'
import type { GraphqlRequest } from './graphql-request.ts'
import { type PlanCache, stillRight } from './plan-cache.ts'
import { type PreparedPoll, type PreparedSubscription, prepareSubscription } from './prepared-subscription.ts'
import type { Routed } from './source-connection.ts'
import type { TallyOf } from './tally.ts'

export interface SubscriptionRequest {
  readonly request: GraphqlRequest
  readonly session: Session
  readonly api: Api
  /** For connection templates. */
  readonly clientHeaders?: () => readonly HttpHeader[]
}

/**
 * Returns the plan of a subscription: a cached one, or a new one. Throws what validation says
 * (reference/subscriptions#which-are-valid).
 */
export function findSubscription(
  { request, session, api }: SubscriptionRequest,
  model: Model,
  plans: PlanCache<PreparedSubscription>,
  settings: GraphqlSettings,
  tallyOf?: TallyOf,
): PreparedSubscription {
  checkAllowed(model.input.document, session.role, request.query, settings)
  const known = plans.find(request, session, model, api)
  if (known && (known.asked?.covers(request.variables) ?? true)) return known
  // what a refused request uses is not learned
  if (known) checkVariables(known.plan.checks, request.variables)
  const { query, operationName, variables } = request
  const document = parseDocument(query, settings)
  const plan = planSubscription(
    { document, operationName, variables },
    roleSchema(model, session.role, api, session.backendOnly),
    settings,
    known?.asked ?? undefined,
  )
  if (known) {
    known.tally?.learn(plan.asked)
    plans.put(request, session, model, known, api)
    return known
  }
  const { operationName: name, asked } = plan
  const tally = tallyOf?.({ request, role: session.role, operationName: name, type: 'subscription', asked }) ?? null
  const prepared = counted(prepareSubscription(query, plan, model), tally, asked)
  plans.put(request, session, model, prepared, api)
  return prepared
}

/** Returns the connection that a subscription is polled over; `by`: the object that polls. */
export const routedSubscription = (
  { plan: { operationName } }: Pick<PreparedPoll, 'plan'>,
  { session, clientHeaders }: Pick<SubscriptionRequest, 'session' | 'clientHeaders'>,
  model: Model,
  by: object,
): Routed => ({ model, session, by, clientHeaders, type: 'subscription', operationName })

/** What a subscriber's statement is run with. */
export interface SubscriptionValues {
  /** Its own values. */
  readonly values: readonly (string | null)[]
  /** What all subscriptions that share the plan have in common. */
  readonly shared: readonly (string | null)[]
}

/** Throws what coercion says of a variable, and not-found for a session variable that is missing. */
export function bindSubscription(
  { plan, multiplexed, types }: PreparedPoll,
  { request: { variables }, session }: SubscriptionRequest,
  settings: GraphqlSettings,
): SubscriptionValues {
  checkVariables(plan.checks, variables)
  const allowance = valuesAllowance(settings.maxValuesSize)
  const bindings = { templates: plan.templates, variables, session, allowance }
  return {
    values: multiplexed.slots.map((slot) => bindValue(slot, types, bindings)),
    shared: multiplexed.shared.map((slot) => bindValue(slot, types, bindings)),
  }
}

/** Whether what was found for another model is what would be found for this one. */
export function servesStill(
  prepared: PreparedSubscription,
  { session, api }: SubscriptionRequest,
  model: Model,
  settings: GraphqlSettings,
): boolean {
  try {
    checkAllowed(model.input.document, session.role, prepared.query, settings)
  } catch {
    return false
  }
  return stillRight(prepared, session, model, api)
}

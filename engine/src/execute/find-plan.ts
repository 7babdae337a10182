import { type Api, type GraphqlSettings, parseDocument, planLong, roleSchema } from '../graphql/index.ts'
import type { LongWork } from '../long-work.ts'
import type { Model } from '../model/index.ts'
import type { Session } from '../session.ts'
import type { GraphqlRequest } from './graphql-request.ts'
import type { PlanCache } from './plan-cache.ts'
import { type PreparedPlan, preparePlan } from './prepared-plan.ts'
import type { TallyOf } from './tally.ts'

/**
 * The plan of a request: one that is kept, or a new one, made in pieces. Throws what validation says
 * (reference/queries#validation).
 */
export function* findPlan(
  request: GraphqlRequest,
  session: Pick<Session, 'role' | 'backendOnly'>,
  model: Model,
  plans: PlanCache,
  settings: GraphqlSettings,
  api: Api = 'graphql',
  tallyOf?: TallyOf,
): LongWork<{ readonly prepared: PreparedPlan; readonly cached: boolean }> {
  const known = plans.find(request, session, model, api)
  if (known) return { prepared: known, cached: true }
  const prepared = yield* makePlan(request, session, model, settings, api, tallyOf)
  plans.put(request, session, model, prepared, api)
  return { prepared, cached: false }
}

function* makePlan(
  { query, operationName, variables, isRepeated = false }: GraphqlRequest,
  { role, backendOnly }: Pick<Session, 'role' | 'backendOnly'>,
  model: Model,
  settings: GraphqlSettings,
  api: Api,
  tallyOf: TallyOf | undefined,
): LongWork<PreparedPlan> {
  const document = parseDocument(query, settings)
  yield query.length
  const plan = yield* planLong(
    { document, operationName, variables, isRepeated },
    roleSchema(model, role, api, backendOnly),
    settings,
  )
  yield 1
  const { isMutation, asked } = plan
  const type = isMutation ? 'mutation' : isRepeated ? 'subscription' : 'query'
  const tally = tallyOf?.({ request: { query }, role, operationName: plan.operationName, type, asked }) ?? null
  return { ...(yield* preparePlan(plan, model, { query, operationName })), tally }
}

import {
  type Api,
  type AskedParts,
  type GraphqlSettings,
  parseDocument,
  planLong,
  roleSchema,
} from '../graphql/index.ts'
import type { LongWork } from '../long-work.ts'
import type { Model } from '../model/index.ts'
import type { Session } from '../session.ts'
import type { GraphqlRequest } from './graphql-request.ts'
import type { PlanCache } from './plan-cache.ts'
import { type PreparedPlan, preparePlan } from './prepared-plan.ts'
import type { Tally, TallyOf } from './tally.ts'

/**
 * Returns the plan of a request: a cached one, or a new one, made in pieces. Throws what validation says
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
  return counted(yield* preparePlan(plan, model, { query, operationName }), tally, asked)
}

/** Bytes that a member of a type takes which an operation requests, about. */
const perMember = 60

/** Returns a plan with what counts it. Its size grows with what is learned of it: it is cached again then. */
export function counted<P extends Pick<PreparedPlan, 'size'>>(prepared: P, tally: Tally | null, asked: AskedParts) {
  const kept = tally && asked.dependsOnValues ? asked : null
  return {
    ...prepared,
    tally,
    asked: kept,
    get size() {
      return prepared.size + (kept ? perMember * kept.size : 0)
    },
  }
}

/** Adds what the values of a request use that those before it with the same plan did not: it is planned again for that. */
export function* learnParts(
  request: GraphqlRequest,
  prepared: PreparedPlan,
  session: Pick<Session, 'role' | 'backendOnly'>,
  model: Model,
  plans: PlanCache,
  settings: GraphqlSettings,
  api: Api = 'graphql',
): LongWork<void> {
  const { tally, asked } = prepared
  if (!tally || !asked) return
  const document = parseDocument(request.query, settings)
  yield request.query.length
  yield* planLong({ ...request, document }, roleSchema(model, session.role, api, session.backendOnly), settings, asked)
  tally.learn(asked)
  plans.put(request, session, model, prepared, api)
}

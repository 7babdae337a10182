import { ApiError, Path } from '../errors.ts'
import {
  type GraphqlSettings,
  hasSubscriptionRoot,
  parseDocument,
  planSubscription,
  roleSchema,
} from '../graphql/index.ts'
import type { Value } from '../ir/index.ts'
import type { Model } from '../model/index.ts'
import { bindSubscription, routedSubscription, type SubscriptionRequest } from './find-subscription.ts'
import { prepareSubscription } from './prepared-subscription.ts'
import { readConnection } from './source-connection.ts'

/**
 * The statement that requests all subscribers at once, here for one, and what that one brings
 * (reference/queries#explain).
 */
export interface ExplainedSubscription {
  readonly sql: string
  readonly plan: readonly string[]
  readonly variables: {
    readonly session: Readonly<Record<string, string | null>>
    /** Variables of GraphQL, as the database's text. */
    readonly query: Readonly<Record<string, string | null>>
    /** Literals, and what stands inside of variables. */
    readonly synthetic: readonly (string | null)[]
    readonly cursor: Readonly<Record<string, string | null>>
  }
}

/** Throws not-found for a role that cannot subscribe to anything, and what a subscription is refused with. */
export async function explainSubscription(
  model: Model,
  asked: SubscriptionRequest,
  settings: GraphqlSettings,
): Promise<ExplainedSubscription> {
  const { request, session, api } = asked
  const schema = roleSchema(model, session.role, api)
  if (!hasSubscriptionRoot(schema)) throw new ApiError('not-found', Path.root, 'no subscriptions found')
  const document = parseDocument(request.query, settings)
  const planned = planSubscription({ ...request, document }, schema, settings)
  const prepared = { ...prepareSubscription(request.query, planned, model, 'explain'), tally: null, asked: null }
  if (prepared.kind === 'repetition')
    throw new ApiError('not-supported', Path.root, 'results of asynchronous actions cannot be explained')
  const { values, shared } = bindSubscription(prepared, asked, settings)
  const sql = prepared.multiplexed.inlined([values], shared)
  const routed = routedSubscription(prepared, asked, model, request)
  const plan = await readConnection(routed, prepared.source).explain(sql)
  const variables = {
    session: Object.create(null) as Record<string, string | null>,
    query: Object.create(null) as Record<string, string | null>,
    synthetic: [] as (string | null)[],
    cursor: Object.create(null) as Record<string, string | null>,
  }
  prepared.multiplexed.slots.forEach((slot, i) => {
    const text = values[i] ?? null
    if (prepared.cursor?.slot === i) variables.cursor[prepared.cursor.column] = text
    else if (slot.kind === 'session') variables.session[slot.variable] = text
    else if (slot.kind === 'session-variables') Object.assign(variables.session, Object.fromEntries(session.variables))
    else if (isNamed(slot) && !Object.hasOwn(variables.query, slot.variable)) variables.query[slot.variable] = text
    else variables.synthetic.push(text)
  })
  return { sql, plan, variables }
}

/** A variable as a whole; one that is made of several has a name that GraphQL has not. */
const isNamed = (slot: Value): slot is Value & { readonly kind: 'variable' } =>
  slot.kind === 'variable' && slot.keys.length === 0 && !slot.variable.startsWith(':')

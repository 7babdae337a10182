import { isRecord } from '@svc/schema'
import { OperationTypeNode } from 'graphql'
import { ApiError, Path } from '../errors.ts'
import {
  type Api,
  checkVariables,
  type GraphqlSettings,
  hasSubscriptionRoot,
  operationKind,
  parseDocument,
  planOperation,
  planSubscription,
  roleSchema,
} from '../graphql/index.ts'
import type { HttpHeader } from '../http-client/index.ts'
import type { Value } from '../ir/index.ts'
import type { Model } from '../model/index.ts'
import { adminRole, ownPrefix, type Session, variableName, withPrefix } from '../session.ts'
import { valuesAllowance } from './allowance.ts'
import { bindValue } from './bind.ts'
import { bindSubscription, routedSubscription, type SubscriptionRequest } from './find-subscription.ts'
import { type GraphqlRequest, parseGraphqlRequest } from './graphql-request.ts'
import { compileRoots, labelled } from './prepared-plan.ts'
import { prepareSubscription } from './prepared-subscription.ts'
import { type Routed, readConnection } from './source-connection.ts'

export interface ExplainRequest {
  readonly request: GraphqlRequest
  readonly session: Session
  readonly api?: Api
  /** Databases that bill statements say what each would cost; none is run. */
  readonly dryRun?: true
  /** Of the client, for connection templates. */
  readonly clientHeaders?: () => readonly HttpHeader[]
}

/** One root field explained; only those that a database answers have SQL and plan. */
export interface ExplainedField {
  readonly field: string
  readonly sql: string | null
  readonly plan: readonly string[] | null
  /** Where a dry run was requested, and the database has one: a text of digits. */
  readonly total_bytes_processed?: string
}

/**
 * The body of /v1/graphql/explain (reference/queries#explain): the query as text or as an object, and whose eyes to see
 * with. Throws parse-failed, and bad-request for a variable with two values.
 */
export function parseExplainRequest(json: unknown, prefix: string = ownPrefix): ExplainRequest {
  if (!isRecord(json)) throw new ApiError('parse-failed', Path.root, 'expected Object')
  if (json.query === undefined) throw new ApiError('parse-failed', Path.root, 'key "query" not found')
  const request = explainedRequest(typeof json.query === 'string' ? { query: json.query } : json.query)
  const { user = null } = json
  if (user !== null && !isRecord(user)) throw new ApiError('parse-failed', Path.root.at('user'), 'expected Object')
  const variables = new Map<string, string>()
  for (const [given, value] of Object.entries(user ?? {})) {
    const name = variableName(given, prefix)
    if (name === null) continue
    if (typeof value !== 'string') throw new ApiError('parse-failed', Path.root.at('user', given), 'expected String')
    if ((variables.get(name) ?? value) !== value)
      throw new ApiError('bad-request', Path.root.at('user', given), `"${name}" is there with two values`)
    variables.set(name, value)
  }
  const role = variables.get(`${prefix}role`) ?? adminRole
  return {
    request,
    session: { role, variables: variables.set(`${prefix}role`, role), backendOnly: false, ...withPrefix(prefix) },
    ...(json.is_relay === true && { api: 'relay' }),
    ...(json.dry_run === true && { dryRun: true }),
  }
}

function explainedRequest(json: unknown): GraphqlRequest {
  try {
    return parseGraphqlRequest(json)
  } catch (error) {
    throw error instanceof ApiError ? error.under(Path.root.at('query')) : error
  }
}

/**
 * The SQL of each root field and the database's plan for it, without running it (reference/queries#explain). Throws
 * invalid-params for what is not answered only by databases.
 */
export async function explainGraphql(
  model: Model,
  asked: ExplainRequest,
  settings: GraphqlSettings,
): Promise<readonly ExplainedField[] | ExplainedSubscription> {
  const { request } = asked
  switch (operationKind(request, settings)) {
    case OperationTypeNode.QUERY:
      return explainQuery(model, asked, settings)
    case OperationTypeNode.MUTATION:
      throw new ApiError('invalid-params', Path.root, 'only queries can be explained')
    case OperationTypeNode.SUBSCRIPTION:
      return explainSubscription(model, { ...asked, api: asked.api ?? 'graphql' }, settings)
  }
}

const notExplained = (what: string): ApiError =>
  new ApiError('invalid-params', Path.root, `${what} cannot be explained`)

async function explainQuery(
  model: Model,
  { request, session, api, clientHeaders, dryRun }: ExplainRequest,
  settings: GraphqlSettings,
): Promise<readonly ExplainedField[]> {
  const document = parseDocument(request.query, settings)
  const plan = planOperation({ ...request, document }, roleSchema(model, session.role, api), settings)
  checkVariables(plan.checks, request.variables)
  const allowance = valuesAllowance(settings.maxValuesSize)
  const bindings = { templates: plan.templates, variables: request.variables, session, allowance }
  const { operationName } = plan
  const routed: Routed = { model, session, by: request, clientHeaders, type: 'query', operationName }
  const explained: ExplainedField[] = []
  if (plan.joins.length > 0) throw notExplained('queries with remote relationships')
  for (const { label, root } of labelled(compileRoots(plan, model, (compiled) => compiled))) {
    if ('form' in root) {
      if (root.form !== 'result') throw notExplained('query actions')
      throw new ApiError('not-supported', Path.root, 'results of asynchronous actions cannot be explained')
    }
    if (root.kind === 'remote') throw new ApiError('invalid-params', Path.root, 'only svc queries can be explained')
    if (root.kind !== 'database') {
      explained.push({ field: label, sql: null, plan: null })
      continue
    }
    const sql = root.compiled.inlined((slot) => bindValue(slot, root.types, bindings))
    const connection = readConnection(routed, root.source)
    const lines = await connection.explain(sql)
    const texts = () => root.compiled.slots.map((slot) => bindValue(slot, root.types, bindings))
    const cost = dryRun && (await connection.dryRun?.(root.compiled, texts()))
    explained.push({
      field: label,
      sql,
      plan: lines,
      ...(cost && { total_bytes_processed: cost.totalBytesProcessed }),
    })
  }
  return explained
}

/**
 * The statement that requests all subscribers at once, here for one, and what that one brings
 * (reference/queries#explain).
 */
interface ExplainedSubscription {
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
async function explainSubscription(
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

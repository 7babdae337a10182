import { errorForRole } from '../errors.ts'
import { checkVariables, newPrintContext, Repeated, type RoleSchema, roleSchema } from '../graphql/index.ts'
import { once } from '../kept-for.ts'
import { type LongWork, Stretches } from '../long-work.ts'
import { spend, valuesAllowance } from './allowance.ts'
import { checkAllowed } from './allowlist.ts'
import type { Bindings } from './bind.ts'
import { checkDraft } from './check-draft.ts'
import { findPlan, learnParts } from './find-plan.ts'
import type { GraphqlExecution, Running } from './graphql-execution.ts'
import { type BoundRoots, logRoots } from './log-query.ts'
import { prepareJoins } from './prepare-joins.ts'
import { prepareReads } from './prepare-reads.ts'
import { prepareRun } from './prepare-run.ts'
import { noWrites, prepareWrites } from './prepare-writes.ts'
import type { PreparedPlan, PreparedRoot } from './prepared-plan.ts'
import { type RootRun, runAll } from './root-run.ts'
import { joinRoots } from './run-joined.ts'
import type { Routed } from './source-connection.ts'

export interface GraphqlAnswer {
  /** The whole response body, `{"data":{…}}`, in pieces: the database's bytes are not copied. */
  readonly body: readonly Buffer[]
  readonly planCached: boolean
  readonly type: 'query' | 'mutation' | 'subscription'
  readonly operationName: string | null
  /** It shows an asynchronous action whose result may still change. */
  readonly awaitsResult: boolean
  /** `Set-Cookie` of handlers of actions. */
  readonly cookies: readonly string[]
}

/**
 * Runs one GraphQL operation (reference/queries#transport): root fields in document order, each its own statement; the
 * first error fails the whole. Throws ApiError; the caller writes it in the GraphQL shape.
 */
export async function executeGraphql(execution: GraphqlExecution): Promise<GraphqlAnswer> {
  const { model, request, session, caches, settings, api = 'graphql' } = execution
  checkAllowed(model.input.document, session.role, request.query, settings)
  const stretches = new Stretches()
  const kept = caches.plans.find(request, session, model, api)
  // no generator where nothing has to be made
  const { prepared, cached } = kept
    ? { prepared: kept, cached: true }
    : await stretches.run(findPlan(request, session, model, caches.plans, settings, api, execution.tallyOf))
  if (execution.draft) checkDraft(prepared, execution.draft)
  checkVariables(prepared.plan.checks, request.variables)
  // everything that can be wrong with the request is reported before a statement is sent
  const { templates } = prepared.plan
  const allowance = valuesAllowance(settings.maxValuesSize)
  const bindings = { templates, variables: request.variables, session, allowance }
  const cookies: string[] = []
  const open: string[] = []
  const { joins, plan } = prepared
  const isPlain = !joins && !plan.isMutation && !execution.logQuery
  const { signal, answerSize, clientHeaders } = execution
  const { operationName, isMutation } = plan
  const type = isMutation ? 'mutation' : request.isRepeated ? 'subscription' : 'query'
  const routed: Routed = { model, session, by: request, clientHeaders, type, operationName }
  const reads = isPlain ? prepareReads(prepared.roots, { routed, answerSize, signal }, bindings) : null
  const bound: BoundRoots | undefined = execution.logQuery && new Map()
  const runs =
    reads ?? (await prepareAll(prepared, { ...execution, cookies, open, routed, bound }, bindings, stretches))
  execution.begun?.()
  // a subscription, which is polled, is counted where it begins
  if (!request.isRepeated) prepared.tally?.add()
  if (prepared.asked && !prepared.asked.covers(request.variables))
    await stretches.run(learnParts(request, prepared, session, model, caches.plans, settings, api))
  if (execution.logQuery && bound) logRoots(prepared.roots, bound, execution.logQuery)
  const body: Buffer[] = []
  const add = (part: Buffer) => {
    spend(execution.answerSize, part.length)
    body.push(part)
  }
  try {
    await runAll(runs, '{"data":{', '}}', add)
  } catch (error) {
    throw errorForRole(error, session.role)
  }
  return {
    body,
    planCached: cached,
    type,
    operationName,
    awaitsResult: open.length > 0,
    cookies,
  }
}

/** What is more than statements with short values. */
async function prepareAll(
  { roots, joins: tree, plan }: PreparedPlan,
  running: Running,
  bindings: Bindings,
  stretches: Stretches,
): Promise<readonly RootRun[]> {
  const { model, session, caches, settings, answerSize, api = 'graphql' } = running
  const schema = () => roleSchema(model, session.role, api, session.backendOnly)
  const printContext = once(() => newPrintContext(schema(), caches.introspection, settings))
  const preparing = stretches.run(prepareRuns(roots, plan.isMutation, { running, bindings, schema, printContext }))
  const plain = preparing instanceof Promise ? await preparing : preparing
  if (!tree) return plain
  const { maxJoinRows } = settings
  // rows that are stored are answered, however late
  const { signal: limited, gone = limited } = running
  const joining = plan.isMutation && gone ? { ...running, signal: gone } : running
  return joinRoots(
    plain,
    { tree, ask: prepareJoins(tree, joining, bindings), answerSize, maxJoinRows },
    plan.isMutation,
  )
}

interface Preparing {
  readonly running: Running
  readonly bindings: Bindings
  readonly schema: () => RoleSchema
  readonly printContext: () => ReturnType<typeof newPrintContext>
}

/** Not a function within: the first call of a generator function makes a hidden class of its own, which cost 25 µs a request. */
function* prepareRuns(
  roots: readonly PreparedRoot[],
  isMutation: boolean,
  { running, bindings, schema, printContext }: Preparing,
): LongWork<readonly RootRun[]> {
  const { settings } = running
  const writes = isMutation
    ? yield* prepareWrites(roots, running, {
        bindings,
        schema,
        settings,
        numbers: { next: 0 },
        repeated: new Repeated(settings),
      })
    : noWrites
  const plain: RootRun[] = []
  for (const root of roots) plain.push(yield* prepareRun(root, running, bindings, printContext, writes))
  return plain
}

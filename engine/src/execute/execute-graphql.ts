import { type Api, checkVariables, type GraphqlSettings, introspectionWorld, roleSchema } from '../graphql/index.ts'
import type { Model } from '../model/index.ts'
import type { Session } from '../session.ts'
import { type Bindings, bindValue } from './bind.ts'
import { findPlan } from './find-plan.ts'
import type { GraphqlCaches } from './graphql-caches.ts'
import type { GraphqlRequest } from './graphql-request.ts'
import { labelled, type PreparedRoot } from './prepared-plan.ts'
import { sourceConnection } from './source-connection.ts'

export interface GraphqlExecution {
  readonly model: Model
  readonly request: GraphqlRequest
  /** Whose schema; Relay's has nodes and connections. */
  readonly api?: Api
  readonly session: Session
  readonly caches: GraphqlCaches
  readonly settings: GraphqlSettings
  readonly signal?: AbortSignal
}

export interface GraphqlAnswer {
  /** The whole response body, `{"data":{…}}`, in pieces: what the database gave is not copied. */
  readonly body: readonly Buffer[]
  readonly planCached: boolean
  /** For the log: the statement of each root field that asks a database, null when none does. */
  readonly statements: () => Readonly<Record<string, string>> | null
}

/**
 * Runs one GraphQL operation (spec 02 §7): root fields in document order, each its own statement; the first error
 * fails the whole. Throws ApiError; the caller writes it in the GraphQL shape.
 */
export async function executeGraphql(execution: GraphqlExecution): Promise<GraphqlAnswer> {
  const { model, request, session, caches, settings, api = 'graphql' } = execution
  const { prepared, cached } = findPlan(request, session.role, model, caches.plans, settings, api)
  checkVariables(prepared.plan.checks, request.variables)
  const world = introspectionWorld(roleSchema(model, session.role, api), caches.introspection, settings)
  // everything that can be wrong with the request is told before the database is asked
  const runs = prepared.roots.map((root) => prepareRun(root, execution, prepared.plan.templates, world))
  const body = await runAll(runs, '{"data":{', '}}')
  return { body, planCached: cached, statements: () => statementsOf(prepared.roots) }
}

/** One after another; the answers stand between `opening` and `closing` by their keys. */
async function runAll(runs: readonly RootRun[], opening: string, closing: string): Promise<readonly Buffer[]> {
  // @skip may leave no root field at all, so the opening does not wait for the first
  const body: Buffer[] = [Buffer.from(opening)]
  for (const [i, { key, run }] of runs.entries()) {
    body.push(Buffer.from(`${i === 0 ? '' : ','}${JSON.stringify(key)}:`))
    const answer = await run()
    if (Array.isArray(answer)) for (const part of answer) body.push(part)
    else body.push(answer as Buffer)
  }
  body.push(Buffer.from(closing))
  return body
}

function statementsOf(roots: readonly PreparedRoot[]): Readonly<Record<string, string>> | null {
  const statements = labelled(roots).flatMap(({ label, root }) =>
    root.kind === 'database' ? [[label, root.compiled.text]] : [],
  )
  return statements.length === 0 ? null : Object.fromEntries(statements)
}

/** JSON, in one piece or several. */
type Answer = Buffer | readonly Buffer[]

interface RootRun {
  readonly key: string
  readonly run: () => Answer | Promise<Answer>
}

function prepareRun(
  root: PreparedRoot,
  execution: GraphqlExecution,
  templates: Bindings['templates'],
  world: ReturnType<typeof introspectionWorld>,
): RootRun {
  const { model, request, session, signal } = execution
  const key = root.responseKey
  switch (root.kind) {
    case 'namespace': {
      const runs = root.roots.map((inner) => prepareRun(inner, execution, templates, world))
      return { key, run: () => runAll(runs, '{', '}') }
    }
    case 'text':
      return { key, run: () => Buffer.from(JSON.stringify(root.text)) }
    case 'introspection':
      return { key, run: () => root.answer(world) }
    case 'database': {
      const { compiled, types } = root
      const bindings = { templates, variables: request.variables, session }
      const parameters = compiled.slots.map((slot) => bindValue(slot, types, bindings))
      return { key, run: () => sourceConnection(model, root.source).query(compiled, parameters, signal) }
    }
  }
}

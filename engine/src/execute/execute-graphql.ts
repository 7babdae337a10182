import { checkVariables, type GraphqlSettings, introspectionWorld, roleSchema } from '../graphql/index.ts'
import type { Model } from '../model/index.ts'
import type { Session } from '../session.ts'
import { type Bindings, bindValue } from './bind.ts'
import { findPlan } from './find-plan.ts'
import type { GraphqlCaches } from './graphql-caches.ts'
import type { GraphqlRequest } from './graphql-request.ts'
import type { PreparedRoot } from './prepared-plan.ts'
import { sourceConnection } from './source-connection.ts'

export interface GraphqlExecution {
  readonly model: Model
  readonly request: GraphqlRequest
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
  const { model, request, session, caches, settings } = execution
  const { prepared, cached } = findPlan(request, session.role, model, caches.plans, settings)
  checkVariables(prepared.plan.checks, request.variables)
  const world = introspectionWorld(roleSchema(model, session.role), caches.introspection, settings)
  // everything that can be wrong with the request is told before the database is asked
  const runs = prepared.roots.map((root) => prepareRun(root, execution, prepared.plan.templates, world))
  // @skip may leave no root field at all, so the opening does not wait for the first
  const body: Buffer[] = [Buffer.from('{"data":{')]
  for (const [i, { key, run }] of runs.entries()) {
    body.push(Buffer.from(`${i === 0 ? '' : ','}${JSON.stringify(key)}:`), await run())
  }
  body.push(Buffer.from('}}'))
  return { body, planCached: cached, statements: () => statementsOf(prepared.roots) }
}

function statementsOf(roots: readonly PreparedRoot[]): Readonly<Record<string, string>> | null {
  const statements = roots.flatMap((root) => (root.kind === 'database' ? [[root.responseKey, root.compiled.text]] : []))
  return statements.length === 0 ? null : Object.fromEntries(statements)
}

interface RootRun {
  readonly key: string
  readonly run: () => Buffer | Promise<Buffer>
}

function prepareRun(
  root: PreparedRoot,
  { model, request, session, signal }: GraphqlExecution,
  templates: Bindings['templates'],
  world: ReturnType<typeof introspectionWorld>,
): RootRun {
  const key = root.responseKey
  switch (root.kind) {
    case 'text':
      return { key, run: () => Buffer.from(JSON.stringify(root.text)) }
    case 'introspection':
      return { key, run: async () => Buffer.from(await root.answer(world)) }
    case 'database': {
      const { compiled, types } = root
      const bindings = { templates, variables: request.variables, session }
      const parameters = compiled.slots.map((slot) => bindValue(slot, types, bindings))
      return { key, run: () => sourceConnection(model, root.source).query(compiled, parameters, signal) }
    }
  }
}

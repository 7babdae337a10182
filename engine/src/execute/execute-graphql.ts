import { AnswerTooLarge, type Statement } from '../backends/index.ts'
import { ApiError, errorForRole, Path } from '../errors.ts'
import { parseExactly } from '../exact-json/index.ts'
import {
  type Api,
  checkVariables,
  type GraphqlSettings,
  introspectionWorld,
  joinVariable,
  type KeyedRows,
  type PlannedJoin,
  roleSchema,
} from '../graphql/index.ts'
import type { HttpHeader } from '../http-client/index.ts'
import type { Model } from '../model/index.ts'
import type { Session } from '../session.ts'
import { type Allowance, check, take, valuesAllowance } from './allowance.ts'
import { checkAllowed } from './allowlist.ts'
import { type Bindings, bindValue } from './bind.ts'
import { findPlan } from './find-plan.ts'
import type { GraphqlCaches } from './graphql-caches.ts'
import type { GraphqlRequest } from './graphql-request.ts'
import { type DatabaseRoot, prepareUnit, type UnitContext } from './prepare-unit.ts'
import { type LabelledRoot, labelled, type PreparedRoot } from './prepared-plan.ts'
import { type ActionServices, actionInput, joinValues, runAction } from './run-action.ts'
import { prepareRemote, type RemoteServices, runRemote } from './run-remote.ts'
import { runRemoteJoin } from './run-remote-join.ts'
import { SettingNames } from './setting-names.ts'
import { sourceConnection } from './source-connection.ts'
import { type AskJoin, type JoinTree, spliceJoins } from './splice-joins.ts'
import { validateInput } from './validate-input.ts'
import { runUnits, type TraceOf, type WriteUnit } from './write-unit.ts'

export interface GraphqlExecution {
  readonly model: Model
  readonly request: GraphqlRequest
  /** Whose schema; Relay's has nodes and connections. */
  readonly api?: Api
  readonly session: Session
  readonly caches: GraphqlCaches
  readonly settings: GraphqlSettings
  /** Of the data, used up as it arrives: an operation may have thousands of root fields. */
  readonly answerSize: Allowance
  readonly signal?: AbortSignal
  readonly requestId?: string
  /** What triggers of the tables that are written find as svc.tracecontext. */
  readonly trace?: TraceOf
  /** What actions may forward. */
  readonly clientHeaders?: readonly HttpHeader[]
  /** Absent: no remote schema can be asked. */
  readonly remotes?: RemoteServices
  /** Absent: no action can be called. */
  readonly actions?: ActionServices
  /** Called once nothing is wrong with the request itself, before anybody is asked. */
  readonly begun?: () => void
}

export interface GraphqlAnswer {
  /** The whole response body, `{"data":{…}}`, in pieces: what the database gave is not copied. */
  readonly body: readonly Buffer[]
  readonly planCached: boolean
  /** It shows an asynchronous action whose result may still change. */
  readonly awaitsResult: boolean
  /** `Set-Cookie` of handlers of actions. */
  readonly cookies: readonly string[]
  /** For the log: the statement of each root field that asks a database, null when none does. */
  readonly statements: () => Readonly<Record<string, string>> | null
}

/**
 * Runs one GraphQL operation (spec 02 §7): root fields in document order, each its own statement; the first error
 * fails the whole. Throws ApiError; the caller writes it in the GraphQL shape.
 */
export async function executeGraphql(execution: GraphqlExecution): Promise<GraphqlAnswer> {
  const { model, request, session, caches, settings, api = 'graphql' } = execution
  checkAllowed(model.input.document, session.role, request.query, settings)
  const { prepared, cached } = findPlan(request, session, model, caches.plans, settings, api)
  checkVariables(prepared.plan.checks, request.variables)
  const schema = () => roleSchema(model, session.role, api, session.backendOnly)
  let known: ReturnType<typeof introspectionWorld> | undefined
  const world = () => {
    known ??= introspectionWorld(schema(), caches.introspection, settings)
    return known
  }
  // everything that can be wrong with the request is told before the database is asked
  const { templates } = prepared.plan
  const allowance = valuesAllowance(settings.maxValuesSize)
  const bindings = { templates, variables: request.variables, session, allowance }
  const cookies: string[] = []
  const open: string[] = []
  const writes = prepared.plan.isMutation
    ? prepareWrites(prepared.roots, execution, { bindings, schema, settings, names: new SettingNames() })
    : noWrites
  const running = { ...execution, cookies, open }
  const ask = prepared.joins && prepareJoins(prepared.joins, running, bindings)
  const runs = prepared.roots.map((root) => {
    const run = prepareRun(root, running, bindings, world, writes)
    const tree = prepared.joins?.below.get(root.responseKey)
    return tree && ask ? joined(run, tree, ask) : run
  })
  execution.begun?.()
  const body: Buffer[] = []
  const add = (part: Buffer) => {
    take(execution.answerSize, part.length)
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
    awaitsResult: open.length > 0,
    cookies,
    statements: () => statementsOf(prepared.roots),
  }
}

type Add = (part: Buffer) => void

/** One after another; the answers stand between `opening` and `closing` by their keys. */
async function runAll(runs: readonly RootRun[], opening: string, closing: string, add: Add): Promise<void> {
  // @skip may leave no root field at all, so the opening does not wait for the first
  let text = opening
  for (const { key, run } of runs) {
    if (key !== null) text += `${JSON.stringify(key)}:`
    add(Buffer.from(text))
    text = ','
    await run(add)
  }
  add(Buffer.from(runs.length === 0 ? text + closing : closing))
}

function statementsOf(roots: readonly PreparedRoot[]): Readonly<Record<string, string>> | null {
  const statements = labelled(roots).flatMap(({ label, root }) =>
    statementTexts(root).map((text, i) => [i === 0 ? label : `${label}[${i}]`, text]),
  )
  return statements.length === 0 ? null : Object.fromEntries(statements)
}

function statementTexts(root: LabelledRoot['root']): readonly string[] {
  switch (root.kind) {
    case 'database':
      return [root.compiled.text]
    case 'writes':
      return root.groups.flatMap((group) => ('writes' in group ? group.writes.map(({ text }) => text) : []))
    case 'insert':
      return root.statements.texts()
    case 'text':
    case 'action':
    case 'remote':
    case 'introspection':
      return []
  }
}

/** What gives the answers of the root fields of a mutation, each run when it is its turn. */
type Writes = ReadonlyMap<DatabaseRoot, () => Promise<readonly Buffer[]>>
const noWrites: Writes = new Map()

/**
 * One transaction where all that the mutation does is writes to one source; else each root field is by itself, and what was
 * committed before one that fails stays (spec 02 §4.7).
 */
function prepareWrites(
  roots: readonly PreparedRoot[],
  { model, session, answerSize, signal, trace, actions, requestId = '', clientHeaders = [] }: GraphqlExecution,
  context: UnitContext,
): Writes {
  const leaves = labelled(roots).map(({ root }) => root)
  const units = new Map<DatabaseRoot, WriteUnit>()
  for (const root of leaves) if ('source' in root) units.set(root, prepareUnit(root, context))
  const sources = new Set([...units.values()].map(({ source }) => source))
  const run = async (chosen: readonly WriteUnit[], source: string) => {
    for (const validation of chosen.flatMap(({ validations = [] }) => validations)) {
      if (!actions) throw new ApiError('not-supported', Path.root, 'webhooks cannot be called here')
      await validateInput(validation, { session, clientHeaders, requestId, signal, services: actions.handlers })
    }
    const backend = model.input.sources.get(source)?.backend
    if (!backend) throw new Error(`the plan writes to source ${source}, which the model lacks`)
    const connection = sourceConnection(model, source)
    return runUnits(chosen, {
      connection,
      backend,
      session,
      answerSize,
      ...(trace && { trace }),
      ...(signal && { signal }),
    })
  }
  const isJoint = sources.size === 1 && units.size === leaves.length
  const [source = ''] = sources
  let together: Promise<readonly (readonly Buffer[])[]> | undefined
  return new Map(
    [...units].map(([root, unit], i) => [
      root,
      async () => {
        if (!isJoint) return (await run([unit], unit.source))[0] ?? []
        together ??= run([...units.values()], source)
        return (await together)[i] ?? []
      },
    ]),
  )
}

interface Running extends GraphqlExecution {
  /** Those of handlers, in the order of the root fields. */
  readonly cookies: string[]
  /** Results that may still change, by their response keys. */
  readonly open: string[]
}

interface RootRun {
  /** Null in a list. */
  readonly key: string | null
  /** Adds its JSON, in one piece or several. */
  readonly run: (add: Add) => Promise<void>
}

function prepareRun(
  root: PreparedRoot,
  execution: Running,
  bindings: Bindings,
  world: () => ReturnType<typeof introspectionWorld>,
  writes: Writes,
): RootRun {
  const { model, signal, answerSize } = execution
  const key = root.responseKey
  switch (root.kind) {
    case 'namespace': {
      const runs = root.roots.map((inner) => prepareRun(inner, execution, bindings, world, writes))
      return { key, run: (add) => runAll(runs, '{', '}', add) }
    }
    case 'list': {
      const runs = root.roots.map((inner) => ({ ...prepareRun(inner, execution, bindings, world, writes), key: null }))
      return { key, run: (add) => runAll(runs, '[', ']', add) }
    }
    case 'action':
      return { key, run: prepareAction(root, execution, bindings) }
    case 'remote':
      return { key, run: prepareRemoteRun(root, execution) }
    case 'text':
      return { key, run: async (add) => add(Buffer.from(JSON.stringify(root.text))) }
    case 'introspection':
      return { key, run: async (add) => (await root.answer(world())).forEach(add) }
    case 'writes':
    case 'insert':
      return { key, run: async (add) => (await writes.get(root)?.())?.forEach(add) }
    case 'database': {
      const write = writes.get(root)
      if (write) return { key, run: async (add) => (await write()).forEach(add) }
      const { compiled, types } = root
      const parameters = compiled.slots.map((slot) => bindValue(slot, types, bindings))
      return {
        key,
        run: async (add) => {
          const source = sourceConnection(model, root.source)
          try {
            add(await source.query(compiled, parameters, signal, answerSize.left))
          } catch (error) {
            if (error instanceof AnswerTooLarge) check(answerSize, error.bytes)
            throw error
          }
        },
      }
    }
  }
}

/** What is wrong with the request is found now, the remote schema is asked when it is the field's turn. */
function prepareRemoteRun(
  root: Extract<PreparedRoot, { readonly kind: 'remote' }>,
  execution: Running,
): RootRun['run'] {
  const { model, request, session, signal, remotes, requestId = '', clientHeaders = [] } = execution
  if (!remotes) throw new ApiError('not-supported', Path.root, 'remote schemas cannot be asked here')
  const { variables, operationName } = request
  const asked = { model, session, variables, operationName, clientHeaders, requestId, signal, services: remotes }
  const prepared = prepareRemote(root, asked)
  return async (add) => {
    const { json, cookies } = await runRemote(root, prepared, asked)
    execution.cookies.push(...cookies)
    add(Buffer.from(JSON.stringify(json)))
  }
}

/** The rows of a table for lists of keys: `keys[i]` are those of the i-th key. */
async function askRows(
  { source, query }: KeyedRows<Statement>,
  keys: readonly (readonly unknown[])[],
  { model, request, signal, answerSize }: GraphqlExecution,
  bindings: Bindings,
): Promise<readonly unknown[]> {
  const types = model.input.sources.get(source)?.backend?.types
  if (!types) throw new Error(`the plan reaches source ${source}, which the model lacks`)
  const given = Object.fromEntries(keys.map((list, i) => [joinVariable(i), list]))
  const filled = { ...bindings, variables: { ...request.variables, ...given } }
  const parameters = query.slots.map((slot) => bindValue(slot, types, filled))
  return joinValues(await sourceConnection(model, source).query(query, parameters, signal, answerSize.left))
}

/** What is wrong with the request is found now; the joins are asked when the rows are there. */
function prepareJoins(tree: JoinTree, execution: Running, bindings: Bindings): AskJoin {
  const { model, request, session, signal, remotes, requestId = '', clientHeaders = [] } = execution
  const { variables, operationName } = request
  const prepared = new Map<
    PlannedJoin<Statement>,
    (tuples: readonly (readonly unknown[])[]) => Promise<readonly unknown[]>
  >()
  for (const join of joinsIn(tree)) {
    if (join.kind === 'table') {
      prepared.set(join, (tuples) =>
        askRows(
          join.rows,
          join.keys.map((_, i) => tuples.map((tuple) => tuple[i])),
          execution,
          bindings,
        ),
      )
      continue
    }
    if (!remotes) throw new ApiError('not-supported', Path.root, 'remote schemas cannot be asked here')
    const asked = { model, session, variables, operationName, clientHeaders, requestId, signal, services: remotes }
    const remote = prepareRemote(join.call, asked)
    prepared.set(join, (tuples) => runRemoteJoin(join.call, tuples, remote, asked))
  }
  return async (join, tuples) => (await prepared.get(join)?.(tuples)) ?? []
}

const joinsIn = ({ joins, below }: JoinTree): readonly PlannedJoin<Statement>[] => [
  ...joins,
  ...[...below.values()].flatMap(joinsIn),
]

/** A root field whose answer has values of joins put into it; all others pass as the database wrote them. */
function joined({ key, run }: RootRun, tree: JoinTree, ask: AskJoin): RootRun {
  return {
    key,
    async run(add) {
      const parts: Buffer[] = []
      await run((part) => parts.push(part))
      const json = parseExactly(Buffer.concat(parts).toString('utf8'))
      await spliceJoins(tree, json, ask)
      add(Buffer.from(JSON.stringify(json)))
    },
  }
}

/** The arguments are checked now, the handler is called when it is the field's turn. */
function prepareAction(
  root: Extract<PreparedRoot, { readonly kind: 'action' }>,
  execution: Running,
  bindings: Bindings,
): RootRun['run'] {
  const { model, request, session, signal, actions, requestId = '', clientHeaders = [] } = execution
  if (!actions) throw new ApiError('not-supported', Path.root, 'actions cannot be called here')
  const { variables, query } = request
  const input = actionInput(root, { model, variables })
  const asked = { model, session, variables, query, requestId, clientHeaders, signal, services: actions }
  return async (add) => {
    const { json, cookies, isOpen } = await runAction(root, input, asked, async (join, keys) => {
      return askRows(join, keys, execution, bindings)
    })
    execution.cookies.push(...cookies)
    if (isOpen) execution.open.push(root.responseKey)
    add(Buffer.from(JSON.stringify(json)))
  }
}

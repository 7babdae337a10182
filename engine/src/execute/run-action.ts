import { callHandler, type HandlerServices } from '../actions/index.ts'
import type { Statement } from '../backends/index.ts'
import { ApiError, Path } from '../errors.ts'
import { parseExactly } from '../exact-json/index.ts'
import { coerceActionInput, fillTemplate, type PlannedAction, type VariableValues } from '../graphql/index.ts'
import type { HttpHeader } from '../http-client/index.ts'
import type { ActionLog } from '../metadata/index.ts'
import type { Model } from '../model/index.ts'
import { adminRole, type Session } from '../session.ts'
import { type Allowance, spendPassed } from './allowance.ts'
import { type RunJoin, shapeOutput } from './shape-output.ts'

/** What actions need in addition to a request. */
export interface ActionServices {
  readonly handlers: HandlerServices
  readonly log: ActionLog
  /** Something was put into the log. */
  readonly enqueued: () => void
}

/** A root field of an action with the statements of its relationships. */
export type PreparedAction<S = Statement> = PlannedAction<S>

export interface ActionRequest {
  readonly model: Model
  readonly session: Session
  readonly variables: VariableValues
  readonly query: string
  readonly requestId: string
  readonly clientHeaders: readonly HttpHeader[]
  readonly signal: AbortSignal | undefined
  readonly services: ActionServices
}

/** Of a root field: its JSON, and what of the handler's headers is sent to the client. */
export interface ActionResult {
  readonly json: unknown
  readonly cookies: readonly string[]
  /** The result of an asynchronous action that may still change. */
  readonly isOpen: boolean
}

/**
 * The arguments of an action's field as its handler gets them. Throws validation-failed and parse-failed, and
 * bad-request for variables that are passed again and again, before a handler is called.
 */
export function actionInput(
  root: PreparedAction,
  { model, variables }: Pick<ActionRequest, 'model' | 'variables'>,
  allowance: Allowance,
) {
  const { action, input } = root
  const sources = (source: string) => model.input.sources.get(source)?.backend?.types ?? null
  return Object.fromEntries(
    [...input].map(([name, { template, path }]) => {
      spendPassed(allowance, template, variables)
      const json = fillTemplate(template, variables)
      const declared = root.form === 'result' ? undefined : action.arguments.find((one) => one.name === name)
      if (!declared) return [name, uuid(json, new Path(path))]
      return [name, coerceActionInput(action.types, declared, json, sources, new Path(path))]
    }),
  )
}

function uuid(json: unknown, path: Path): string {
  if (typeof json === 'string' && /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(json)) return json
  throw new ApiError('parse-failed', path, 'expected a UUID')
}

/**
 * Runs an action's root field (reference/actions#the-request-to-a-handler, reference/actions#asynchronous-actions).
 * Throws ApiError.
 */
export async function runAction(
  root: PreparedAction,
  input: Readonly<Record<string, unknown>>,
  request: ActionRequest,
  runJoin: RunJoin,
): Promise<ActionResult> {
  switch (root.form) {
    case 'call': {
      const { action } = root
      const { session, clientHeaders, query, requestId, signal, services } = request
      const answer = await callHandler(
        {
          action,
          input,
          session: session.variables,
          clientHeaders,
          requestQuery: query,
          requestId,
          ...(signal && { signal }),
        },
        services.handlers,
      )
      const json = await shapeOutput(root.fields, answer.json, runJoin)
      const cookies = action.kind === 'synchronous' ? answer.headers.filter(isCookie).map(([, value]) => value) : []
      return { json, cookies, isOpen: false }
    }
    case 'enqueue':
      return { json: await enqueue(root, input, request), cookies: [], isOpen: false }
    case 'result':
      return { ...(await readResult(root, String(input.id), request, runJoin)), cookies: [] }
  }
}

const isCookie = ([name]: HttpHeader) => name.toLowerCase() === 'set-cookie'

/** Never forwarded, so that the log of calls has no use for them. */
const secrets = new Set(['x-svc-admin-secret', 'x-svc-access-key', 'x-svc-access-token', 'x-svc-draft'])

async function enqueue({ action }: PreparedAction, input: unknown, request: ActionRequest): Promise<string> {
  const { session, clientHeaders, services } = request
  const id = await services.log.add({
    action: action.name,
    input,
    headers: Object.fromEntries(clientHeaders.filter(([name]) => !secrets.has(name.toLowerCase()))),
    session: Object.fromEntries(session.variables),
  })
  services.enqueued()
  return id
}

/** What has become of an asynchronous action (reference/actions#asynchronous-actions). */
async function readResult(
  root: PreparedAction,
  id: string,
  { session, services }: ActionRequest,
  runJoin: RunJoin,
): Promise<Pick<ActionResult, 'json' | 'isOpen'>> {
  const { action } = root
  const [row] = await services.log.read(action.name, [id])
  const { base } = action.output
  const isRelated = base.kind === 'object' && (action.types.objects.get(base.name)?.relationships.size ?? 0) > 0
  // rows of tables are shown by the permissions of a caller that called
  if (isRelated && (!row || (session.role !== adminRole && !sameSession(session, row.session))))
    return { json: null, isOpen: true }
  if (!row)
    throw new ApiError('unexpected', Path.root, 'database query error', {
      status: 500,
      internal: { error: `there is no call of ${action.name} with that id` },
    })
  const own = { id: row.id, created_at: row.createdAt, errors: row.errors }
  const entries: [string, unknown][] = []
  for (const field of root.fields ?? []) {
    switch (field.kind) {
      case 'typename':
        entries.push([field.as, field.name])
        break
      case 'own':
        entries.push([field.as, own[field.name]])
        break
      case 'output':
        entries.push([
          field.as,
          row.response === undefined ? null : await shapeOutput(field.fields, row.response, runJoin),
        ])
        break
      case 'value':
      case 'object':
      case 'join':
        throw new Error(`${field.kind} is no field of a result`)
    }
  }
  // rows of tables go on changing
  const isOpen = isRelated || (row.response === undefined && row.errors === null)
  return { json: Object.fromEntries(entries), isOpen }
}

const sameSession = ({ variables }: Session, logged: Readonly<Record<string, string>>): boolean =>
  variables.size === Object.keys(logged).length && [...variables].every(([name, value]) => logged[name] === value)

/** Returns the answer of a join's statement as a value for each key. */
export const joinValues = (json: Buffer): readonly unknown[] =>
  (parseExactly(json.toString('utf8')) as readonly { readonly v: unknown }[]).map(({ v }) => v)

import { ApiError, errorBody, Path } from '../errors.ts'
import { parseExactly } from '../exact-json/index.ts'
import { type Allowance, answerAllowance } from '../execute/index.ts'
import type { Api } from '../graphql/index.ts'
import { graphqlErrorBody, unexpectedError } from './error-reply.ts'
import { type ErrorStyle, jsonBody, type Reply, type Route, type RouteRequest } from './route.ts'
import type { Services } from './services.ts'

export interface GraphqlRouteSettings {
  readonly enableRelay: boolean
  /** Operations of a batch. */
  readonly maxBatchSize: number
  /** Bytes of an answer. */
  readonly maxResponseSize: number
}

/**
 * GraphQL over HTTP: one operation or a batch, run one after another (reference/http#graphql-over-http); GET for queries
 * only. Throws bad-request beyond a bound.
 */
export function graphqlRoutes(
  services: Services,
  crashed: (requestId: string, error: unknown) => void,
  { enableRelay, maxBatchSize, maxResponseSize }: GraphqlRouteSettings,
): readonly Route[] {
  const route = (path: string, errors: ErrorStyle, schema: Api = 'graphql'): readonly Route[] => {
    const shared = { path, api: 'graphql', authenticated: true, errors, takesDrafts: true } as const
    return [
      { ...shared, method: 'POST', answer: (asked) => answerPost(asked, schema) },
      { ...shared, method: 'GET', answer: (asked) => answerGet(asked, schema) },
    ]
  }

  const answerGet = async (asked: RouteRequest, schema: Api): Promise<Reply> => {
    const operation = operationOfQuery(asked.query)
    const counting = services.limits.countRequest(asked.session, asked.address)
    if (counting) await counting
    if (services.isMutation(operation))
      throw new ApiError('method-not-allowed', Path.root, 'mutations are not executed by GET, send them by POST')
    return answerOne(asked, operation, schema)
  }

  const answerPost = async (asked: RouteRequest, schema: Api): Promise<Reply> => {
    const counting = services.limits.countRequest(asked.session, asked.address)
    if (counting) await counting
    return Array.isArray(asked.body) ? answerBatch(asked, asked.body, schema) : answerOne(asked, asked.body, schema)
  }

  const answerOne = async (asked: RouteRequest, operation: unknown, schema: Api): Promise<Reply> => {
    const { body, cookies } = await run(asked, operation, schema, answerAllowance(maxResponseSize))
    // what handlers of actions want the client to keep (reference/actions#the-request-to-a-handler)
    const headers = cookies.length > 0 ? { headers: { 'set-cookie': cookies } } : null
    return { status: 200, body, ...headers, mode: 'single', error: null }
  }

  const answerBatch = async (asked: RouteRequest, operations: readonly unknown[], schema: Api): Promise<Reply> => {
    if (operations.length > maxBatchSize)
      throw Path.root.error('bad-request', `the batch has more than ${maxBatchSize} operations (--max-batch-size)`)
    services.limits.checkBatch(asked.session.role, operations.length)
    const parts: Buffer[] = []
    let firstError: Reply['error'] = null
    const logged: NonNullable<Reply['operations']>[number][] = []
    const answerSize = answerAllowance(maxResponseSize)
    for (const operation of operations) {
      parts.push(parts.length === 0 ? opening : comma)
      const { left } = answerSize
      const started = performance.now()
      const log = (body: readonly Buffer[], failed: Reply['error']) => {
        parts.push(...body)
        const responseSize = body.reduce((sum, part) => sum + part.length, 0)
        logged.push({ responseSize, queryExecutionTime: (performance.now() - started) / 1000, error: failed })
      }
      try {
        const { body } = await run(asked, operation, schema, answerSize)
        log(body, null)
      } catch (cause) {
        asked.signal.throwIfAborted()
        answerSize.left = left
        const error = cause instanceof ApiError ? cause : unexpectedError(cause)
        if (error !== cause) crashed(asked.requestId, cause)
        const failed = errorBody(error, true)
        firstError ??= failed
        log(jsonBody(graphqlErrorBody(error, asked.internals(asked.session))), failed)
      }
    }
    if (parts.length === 0) parts.push(opening)
    parts.push(closing)
    return { status: 200, body: parts, mode: 'batched', operations: logged, error: firstError }
  }

  const run = (asked: RouteRequest, operation: unknown, api: Api, answerSize: Allowance) => {
    const { session, requestId, signal, headers } = asked
    return services.graphql(operation, { session, requestId, signal, answerSize, api, headers })
  }

  return [
    ...route('/v1/graphql', 'graphql-200'),
    ...route('/v1alpha1/graphql', 'graphql'),
    ...(enableRelay ? route(relayPath, 'graphql-200', 'relay') : [disabledRelay]),
  ]
}

const relayPath = '/v1beta1/relay'

const disabledRelay: Route = {
  path: relayPath,
  method: 'POST',
  api: 'graphql',
  authenticated: true,
  errors: 'api',
  answer: () =>
    Promise.reject(
      new ApiError('not-supported', Path.root, 'The Relay API is disabled. SVC_GRAPHQL_ENABLE_RELAY=true serves it'),
    ),
}

const opening = Buffer.from('[')
const comma = Buffer.from(',')
const closing = Buffer.from(']')

/**
 * The operation of a GET: `query`, `operationName`, and `variables` and `extensions` as JSON (GraphQL over HTTP). Throws
 * not-supported without `query`, which clients of persisted queries take as a request for the text, and parse-failed.
 */
function operationOfQuery(parameters: URLSearchParams): unknown {
  const query = parameters.get('query')
  if (query === null || query === '') throw new ApiError('not-supported', Path.root, 'PersistedQueryNotSupported')
  const operationName = parameters.get('operationName') || null
  const variables = parameters.get('variables') || null
  return { query, operationName, variables: variables === null ? null : variablesOf(variables) }
}

function variablesOf(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    throw new ApiError('parse-failed', Path.root.at('variables'), 'expected JSON')
  }
}

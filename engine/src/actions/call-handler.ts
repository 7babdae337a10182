import { ApiError, Path } from '../errors.ts'
import {
  type Environment,
  expandEnvironment,
  type HttpClient,
  type HttpFailure,
  type HttpHeader,
  type HttpRequest,
  resolveHeaders,
  shownUrl,
} from '../http-client/index.ts'
import { Stretches } from '../long-work.ts'
import type { ResolvedAction } from '../model/index.ts'
import type { Observer } from '../observe/index.ts'
import type { TemplateValue } from '../templates/index.ts'
import {
  applyRequestTransform,
  type RequestContext,
  requestContext,
  type TransformedRequest,
} from '../transforms/index.ts'
import { handlerHeaders } from './handler-headers.ts'
import { type Fail, readResponse } from './read-response.ts'

export interface HandlerServices {
  readonly http: HttpClient
  readonly environment: Environment
  /** Configured headers win over the client's (reference/event-triggers#settings). */
  readonly configuredHeadersFirst: boolean
  readonly report: Observer['report']
}

export interface ActionCall {
  readonly action: ResolvedAction
  /** The arguments, coerced. */
  readonly input: Readonly<Record<string, unknown>>
  readonly session: ReadonlyMap<string, string>
  readonly clientHeaders: readonly HttpHeader[]
  /** The client's document; null where no caller waits for the answer. */
  readonly requestQuery: string | null
  readonly requestId: string
  readonly signal?: AbortSignal
}

export interface HandlerAnswer {
  /** Numbers keep their digits. */
  readonly json: unknown
  /** As the handler sent them. */
  readonly headers: readonly HttpHeader[]
  /** Only of the handler. */
  readonly milliseconds: number
}

/**
 * Calls an action's handler once (reference/actions#the-request-to-a-handler) and reads its answer (§2.5). Throws
 * ApiError with `internal` for the admin, and HandlerError for what the handler says itself.
 */
export async function callHandler(call: ActionCall, services: HandlerServices): Promise<HandlerAnswer> {
  const { action, session } = call
  const payload = {
    action: { name: action.name },
    input: call.input,
    session_variables: Object.fromEntries(session),
    request_query: call.requestQuery,
  }
  const { request, context, transformed } = await prepare(call, payload, services)
  const fail = failure(call, transformed)
  const result = await services.http.send(request)
  services.report({
    kind: 'action-called',
    requestId: call.requestId,
    action: action.name,
    status: result.kind === 'response' ? result.status : null,
    failure: result.kind === 'failure' ? result.failure : null,
    requestSize: request.body?.length ?? 0,
    responseSize: result.kind === 'response' ? result.body.length : 0,
    milliseconds: result.milliseconds,
  })
  if (result.kind === 'failure') {
    call.signal?.throwIfAborted()
    throw fail('http exception when calling webhook', httpException(result, request), 500)
  }
  const shownFail: Fail = (message, why, status, body) => {
    const shown = body === undefined ? result.body.toString('utf8').slice(0, 10_000) : body
    const headers = result.headers.map(([name, value]) => ({ name, value }))
    return failure(call, transformed, { status: result.status, body: shown, headers })(message, why, status)
  }
  const json = await readResponse(action, result, { session, request: context, fail: shownFail })
  return { json, headers: result.headers, milliseconds: result.milliseconds }
}

interface Prepared {
  readonly request: HttpRequest
  /** What `$request` of the response's transform is. */
  readonly context: RequestContext | null
  /** For `internal`. */
  readonly transformed: unknown
}

async function prepare(
  call: ActionCall,
  payload: Readonly<Record<string, unknown>>,
  services: HandlerServices,
): Promise<Prepared> {
  const { action, session, clientHeaders, requestId, signal } = call
  const { environment } = services
  const url = expandEnvironment(action.handler, environment)
  if (url.kind === 'missing')
    throw Path.root.error('unexpected', `Value for environment variables not found: ${url.variables.join(', ')}`)
  const configured = resolveHeaders(action.headers, environment)
  if (configured.kind === 'missing') throw new ApiError('not-found', Path.root, configured.message)
  const headers = handlerHeaders({
    client: action.forwardClientHeaders ? clientHeaders : [],
    ignored: action.ignoredClientHeaders,
    configured: configured.headers,
    configuredFirst: services.configuredHeadersFirst,
  })
  const request = {
    shownUrl: action.handler,
    purpose: 'action',
    isComplete: true,
    requestId,
    timeout: action.timeout * 1000,
    ...(signal && { signal }),
  }
  if (!action.requestTransform) {
    const body = JSON.stringify(payload)
    return { request: { ...request, method: 'POST', url: url.value, headers, body }, context: null, transformed: null }
  }
  const before = requestContext(payload as TemplateValue, session, url.value)
  const work = applyRequestTransform(action.requestTransform, { method: 'POST', headers }, before)
  const outcome = await new Stretches().run(work)
  if (outcome.kind === 'errors') throw failure(call, null)('Request Transformation Failed', outcome.errors, 500)
  const sent = outcome.value
  const text = sent.body.kind === 'none' ? null : sent.body.text
  return {
    request: { ...request, method: sent.method, url: sent.url, headers: sent.headers, body: text },
    context: requestContext(sent.body.kind === 'json' ? sent.body.value : text, session, sent.url),
    transformed: shownRequest(sent, action, url.value, configured.headers),
  }
}

/** A transformed request for `internal`: what came from the environment stands there as metadata refers to it. */
function shownRequest(
  { url, method, headers, body }: TransformedRequest,
  action: ResolvedAction,
  handler: string,
  configured: readonly HttpHeader[],
): unknown {
  const shown = withoutEnvironment(url, action.handler, handler)
  const [, query = ''] = shown.split('?')
  const secrets = action.headers.filter((entry, i) => entry.value !== configured[i]?.[1])
  return {
    url: shown,
    method,
    headers: headers.map(([name, value]) => {
      const secret = secrets.find((entry) => entry.name.toLowerCase() === name.toLowerCase())
      return secret ? [name, secret.value ?? `{{${secret.value_from_env}}}`] : [name, value]
    }),
    body: body.kind === 'none' ? null : body.text,
    query_string: query,
    response_timeout: action.timeout * 1_000_000,
  }
}

/**
 * The URL to show: the handler's text for the handler itself; of other URLs made of a handler from the environment only
 * the origin.
 */
function withoutEnvironment(url: string, configured: string, handler: string): string {
  if (configured === handler) return url
  if (url.startsWith(handler)) return configured + url.slice(handler.length)
  return URL.parse(url)?.origin ?? configured
}

/** An error with what the admin is shown: why, the request without what is secret, and the response. */
function failure(call: ActionCall, transformed: unknown, response: unknown = null): Fail {
  const request = {
    url: call.action.handler,
    action: { name: call.action.name },
    input: call.input,
    request_query: call.requestQuery,
    transformed_request: transformed,
  }
  return (message, why, status) =>
    new ApiError('unexpected', Path.root, message, { status, internal: { error: why, request, response } })
}

function httpException({ failure: kind, message }: HttpFailure, request: HttpRequest): unknown {
  const shown = shownUrl(request.url, request.shownUrl)
  if (kind === 'invalid-url' || !shown) return { type: 'invalid_url', message }
  return {
    type: 'http_exception',
    message,
    request: {
      ...shown,
      method: request.method,
      responseTimeout:
        request.timeout === null ? 'ResponseTimeoutNone' : `ResponseTimeoutMicro ${request.timeout * 1000}`,
    },
  }
}

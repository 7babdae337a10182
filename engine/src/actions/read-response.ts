import { ApiError, Path } from '../errors.ts'
import { isRawNumber, parseExactly } from '../exact-json/index.ts'
import type { HttpHeader } from '../http-client/index.ts'
import type { ResolvedAction } from '../model/index.ts'
import type { TemplateValue } from '../templates/index.ts'
import { applyResponseTransform, type RespondedTo, type SessionVariables } from '../transforms/index.ts'
import { HandlerError } from './handler-error.ts'
import { outputProblem } from './validate-output.ts'

export interface HandlerResponse {
  readonly status: number
  readonly headers: readonly HttpHeader[]
  readonly body: Buffer
}

/** What failed, and what the admin is shown of it (`internal`). */
export type Fail = (message: string, why: unknown, status: 400 | 500, body?: unknown) => ApiError

export interface ResponseContext {
  readonly session: SessionVariables
  /** Of the transformed request, where there was a transform. */
  readonly request: RespondedTo
  readonly fail: Fail
}

/**
 * The rules of reference/actions#answers-of-handlers in their order: transform, JSON, status, shape. Throws ApiError
 * and HandlerError.
 */
export function readResponse(
  action: ResolvedAction,
  response: HandlerResponse,
  { session, request, fail }: ResponseContext,
): unknown {
  const json = bodyOf(action, response, session, request, fail)
  const { status } = response
  if (status >= 200 && status < 300) {
    const problem = outputProblem(action, json)
    if (problem === null) return json
    throw fail(problem, 'unexpected response', 400, json)
  }
  if (status >= 400 && status < 500) throw handlerError(json, status)
  throw fail('internal error', `expecting 2xx or 4xx status code, but found ${status}`, 500, json)
}

function bodyOf(
  { responseTransform }: ResolvedAction,
  response: HandlerResponse,
  session: SessionVariables,
  request: RespondedTo,
  fail: Fail,
): unknown {
  const parsed = parse(response.body)
  if (responseTransform) {
    const body = (parsed.kind === 'json' ? parsed.value : null) as TemplateValue
    const outcome = applyResponseTransform(responseTransform, { status: response.status, body }, session, request)
    if (outcome.kind === 'errors') throw fail('Response Transformation Failed', outcome.errors, 500)
    switch (outcome.value?.kind) {
      case 'json':
        return outcome.value.value
      case 'form':
        return outcome.value.text
      case 'none':
        return null
      case undefined:
    }
  }
  if (parsed.kind === 'json') return parsed.value
  throw fail('not a valid json response from webhook', `invalid JSON: ${parsed.message}`, 500)
}

function parse(
  body: Buffer,
): { readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'none'; readonly message: string } {
  try {
    return { kind: 'json', value: parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(body)) }
  } catch (error) {
    // JSON.parse shows the text; that of an answer may be long
    return { kind: 'none', message: error instanceof Error ? error.message.slice(0, 200) : 'unreadable' }
  }
}

/** The body of a 4xx answer: `message`, and optionally `code` and `extensions`. */
function handlerError(json: unknown, status: number): ApiError {
  if (typeof json !== 'object' || json === null || Array.isArray(json) || isRawNumber(json))
    return new ApiError('parse-failed', Path.root, 'expected an object with a message as the error of an action')
  const { message, code, extensions } = json as Readonly<Record<string, unknown>>
  if (typeof message !== 'string') return new ApiError('parse-failed', Path.root, 'key "message" not found')
  if (code !== undefined && code !== null && typeof code !== 'string')
    return new ApiError('parse-failed', Path.root.at('code'), 'expected a string for code')
  return new HandlerError(message, code ?? null, extensions ?? null, status)
}

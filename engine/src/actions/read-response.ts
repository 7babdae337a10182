import { isUtf8 } from 'node:buffer'
import type { GraphqlType } from '@svc/schema'
import { ApiError, Path } from '../errors.ts'
import { hasMoreLevels, isRawNumber, LONG, MOST_LEVELS, parseExactly, parseLong } from '../exact-json/index.ts'
import type { HttpHeader } from '../http-client/index.ts'
import { Stretches } from '../long-work.ts'
import type { ActionBase, ResolvedAction } from '../model/index.ts'
import type { TemplateValue } from '../templates/index.ts'
import { applyResponseTransform, type RespondedTo, type SessionVariables } from '../transforms/index.ts'
import { HandlerError } from './handler-error.ts'

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
export async function readResponse(
  action: ResolvedAction,
  response: HandlerResponse,
  { session, request, fail }: ResponseContext,
): Promise<unknown> {
  const json = await bodyOf(action, response, session, request, fail)
  const { status } = response
  if (status >= 200 && status < 300) {
    const problem = outputProblem(action, json)
    if (problem === null) return json
    throw fail(problem, 'unexpected response', 400, json)
  }
  if (status >= 400 && status < 500) throw handlerError(json, status)
  throw fail('internal error', `expecting 2xx or 4xx status code, but found ${status}`, 500, json)
}

async function bodyOf(
  { responseTransform }: ResolvedAction,
  response: HandlerResponse,
  session: SessionVariables,
  request: RespondedTo,
  fail: Fail,
): Promise<unknown> {
  const parsed = await parse(response.body)
  if (responseTransform) {
    const body = (parsed.kind === 'json' ? parsed.value : null) as TemplateValue
    const work = applyResponseTransform(responseTransform, { status: response.status, body }, session, request)
    const outcome = await new Stretches().run(work)
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

type Parsed = { readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'none'; readonly message: string }

async function parse(body: Buffer): Promise<Parsed> {
  try {
    const value = body.length > LONG ? await parseInPieces(body) : parseExactly(utf8.decode(body))
    if (!hasMoreLevels(value, MOST_LEVELS)) return { kind: 'json', value }
    return { kind: 'none', message: `it has more than ${MOST_LEVELS} levels` }
  } catch (error) {
    // JSON.parse shows the text; that of an answer may be long
    return { kind: 'none', message: error instanceof Error ? error.message.slice(0, 200) : 'unreadable' }
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

async function parseInPieces(body: Buffer): Promise<unknown> {
  if (!isUtf8(body)) throw new TypeError('The encoded data was not valid for encoding utf-8')
  return new Stretches().run(parseLong(body, Number.POSITIVE_INFINITY, () => new Error('too many values')))
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

/** What is wrong with a 2xx answer (reference/actions#answers-of-handlers); null: nothing. */
function outputProblem(action: ResolvedAction, json: unknown): string | null {
  return problemOf(action, action.output.type, json)
}

function problemOf(action: ResolvedAction, type: GraphqlType, json: unknown): string | null {
  const { base } = action.output
  if (type.kind === 'named' && isUnchecked(base)) return null
  if (json === null) return type.nullable ? null : 'got null for the action webhook response'
  if (type.kind === 'list') {
    if (!Array.isArray(json)) return 'expecting array for the action webhook response'
    for (const entry of json) {
      const problem = problemOf(action, type.of, entry)
      if (problem !== null) return problem
    }
    return null
  }
  const got = (kind: string) => `got ${kind} for the action webhook response, expecting ${type.name}`
  if (Array.isArray(json)) return got('array')
  if (typeof json === 'object' && !isRawNumber(json)) {
    if (base.kind !== 'object') return got('object')
    return fieldProblem(action, base.name, json as Readonly<Record<string, unknown>>)
  }
  const name = base.kind === 'built-in' ? base.name : null
  if (typeof json === 'boolean') return name === 'Boolean' ? null : got('scalar Boolean')
  if (typeof json === 'string') return name === 'String' || name === 'ID' ? null : got('scalar String')
  return name === 'Int' || name === 'Float' ? null : got('scalar Number')
}

/** Whatever is no built-in scalar and no object is the handler's own business. */
const isUnchecked = ({ kind }: ActionBase) => kind === 'scalar' || kind === 'source-scalar'

function fieldProblem(
  { types }: ResolvedAction,
  object: string,
  json: Readonly<Record<string, unknown>>,
): string | null {
  for (const { name, type } of types.objects.get(object)?.fields.values() ?? []) {
    if (type.nullable) continue
    if (!Object.hasOwn(json, name)) return `field "${name}" expected in webhook response, but not found`
    if (json[name] === null) return `expecting not null value for field "${name}"`
  }
  return null
}

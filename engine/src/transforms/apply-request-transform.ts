import type { HttpHeader } from '../http-client/index.ts'
import type { LongWork } from '../long-work.ts'
import type { Bindings } from '../templates/index.ts'
import type { CompiledRequestTransform } from './compile-transform.ts'
import { type RequestContext, requestBindings } from './context.ts'
import { type QueryPair, queryPairs, splitQuery, writeQuery } from './query-string.ts'
import { evaluateText, jsonBody, type RequestBody, transformBody } from './transform-body.ts'
import { eachOf, errorsOf, failed, type Outcome, succeeded } from './transform-error.ts'

/** A request before its transform. Its URL is the context's. */
export interface RequestParts {
  readonly method: string
  readonly headers: readonly HttpHeader[]
}

export interface TransformedRequest {
  readonly method: string
  /** With its query. */
  readonly url: string
  readonly headers: readonly HttpHeader[]
  readonly body: RequestBody
}

/**
 * Every part sees the original request; the errors of all parts come together
 * (reference/transforms#request-transforms). It can take long: clients send what templates walk over.
 */
export function* applyRequestTransform(
  transform: CompiledRequestTransform,
  request: RequestParts,
  context: RequestContext,
): LongWork<Outcome<TransformedRequest>> {
  const bindings = requestBindings(context)
  const body = yield* transform.body === null ? jsonBody(context.body) : transformBody(transform.body, bindings)
  const url = yield* transformUrl(transform, context, bindings)
  const headers = yield* transformHeaders(transform, request.headers, bindings)
  if (body.kind === 'errors' || url.kind === 'errors' || headers.kind === 'errors')
    return failed(...[body, url, headers].flatMap(errorsOf))
  return succeeded({
    method: transform.method ?? request.method,
    url: url.value,
    headers: headers.value,
    body: body.value,
  })
}

/** A query in the template of the URL replaces the original one, and query_params replaces either. */
function* transformUrl(
  transform: CompiledRequestTransform,
  context: RequestContext,
  bindings: Bindings,
): LongWork<Outcome<string>> {
  const base =
    transform.url === null ? normalised(context.base_url) : absolute(yield* evaluateText(transform.url, bindings))
  const query = yield* transformQuery(transform.query, bindings)
  if (base.kind === 'errors' || query.kind === 'errors') return failed(...[base, query].flatMap(errorsOf))
  const { bare, query: own } = splitQuery(base.value)
  const text = query.value ?? own ?? splitQuery(context.base_url).query ?? ''
  return succeeded(text === '' ? bare : `${bare}?${text}`)
}

/** A bare host gets its slash. */
function normalised(url: string): Outcome<string> {
  const parsed = URL.parse(url)
  return parsed
    ? succeeded(parsed.href)
    : failed({ error_code: 'Request Initialization Error', message: `Invalid URL: ${url}` })
}

function absolute(text: Outcome<string>): Outcome<string> {
  if (text.kind === 'errors' || URL.canParse(text.value)) return text
  return failed({ error_code: 'TransformationError', message: `Invalid URL: ${text.value}`, value: text.value })
}

/** Null: nothing is said of the query. */
function* transformQuery(
  query: CompiledRequestTransform['query'],
  bindings: Bindings,
): LongWork<Outcome<string | null>> {
  if (query === null) return succeeded(null)
  if (query.kind === 'text') {
    const text = yield* evaluateText(query.template, bindings)
    return text.kind === 'errors' ? text : succeeded(writeQuery(queryPairs(text.value.replace(/^\?/, ''))))
  }
  const pairs = yield* eachOf(query.pairs, function* ([name, template]): LongWork<Outcome<QueryPair>> {
    const key = yield* evaluateText(name, bindings)
    const value = template === null ? succeeded(null) : yield* evaluateText(template, bindings)
    if (key.kind === 'errors' || value.kind === 'errors') return failed(...[key, value].flatMap(errorsOf))
    return succeeded([key.value, value.value])
  })
  if (pairs.kind === 'errors') return pairs
  return succeeded(writeQuery(pairs.value.filter(([key, value]) => key !== 'null' && value !== 'null')))
}

/** An added header replaces one of the same name. */
function* transformHeaders(
  { removeHeaders, addHeaders }: CompiledRequestTransform,
  headers: readonly HttpHeader[],
  bindings: Bindings,
): LongWork<Outcome<readonly HttpHeader[]>> {
  const added = yield* eachOf(addHeaders, function* ([name, template]): LongWork<Outcome<HttpHeader>> {
    const value = yield* evaluateText(template, bindings)
    return value.kind === 'errors' ? value : succeeded([name, value.value])
  })
  if (added.kind === 'errors') return added
  const gone = new Set([...removeHeaders, ...added.value.map(([name]) => name.toLowerCase())])
  return succeeded([...headers.filter(([name]) => !gone.has(name.toLowerCase())), ...added.value])
}

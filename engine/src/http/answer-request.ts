import { type Authenticate, type Headers, ownHeaders } from '../auth/index.ts'
import type { ServerConfig } from '../config/index.ts'
import { ApiError, Path } from '../errors.ts'
import type { AuditRemarks } from '../metadata/index.ts'
import { errorReport, type Observer } from '../observe/index.ts'
import { adminRole, type Session } from '../session.ts'
import { withTrace } from '../tracing/index.ts'
import { auditEntry } from './audit-entry.ts'
import { clientAddress } from './client-address.ts'
import { gzipped, wantsGzip } from './compress.ts'
import { draftAddress, draftHeader } from './draft-address.ts'
import { errorReply, notFound, unexpectedError } from './error-reply.ts'
import { ClientGone, type Exchange } from './exchange.ts'
import { checkContentEncoding, checkContentType, graphqlResponseType, prefersGraphqlResponse } from './media-type.ts'
import type { OriginPolicy } from './origin-policy.ts'
import { anonymousAdmin } from './plain-routes.ts'
import { isLongBody, parseJson, parseLongJson } from './read-body.ts'
import { requestIdOf } from './request-id.ts'
import { jsonType, type Reply, type Route } from './route.ts'
import type { Services } from './services.ts'

export interface Answering {
  /** By their paths. */
  readonly routes: ReadonlyMap<string, readonly Route[]>
  readonly authenticate: Authenticate
  readonly origins: OriginPolicy
  readonly audit: Services['audit']
  readonly observer: Observer
  readonly config: ServerConfig
}

/** What is known of a request as it goes along; the log reports it however far it came. */
interface Progress {
  readonly requestId: string
  /** Without the draft's key that it may begin with, which no log shows. */
  readonly path: string
  readonly draft: string | null
  readonly query: URLSearchParams
  /** Under the engine's own names as soon as they are known to be in order. */
  headers: Headers
  readonly startedAt: number
  route: Route | null
  session: Session | null
  /** Of the authentication webhook, for the client. */
  cookies: readonly string[]
  readAt: number | null
  bytes: Buffer | null
  body: unknown
  remarks: AuditRemarks
}

/** Every request's way: id, origin, route, authentication, body, answer, log. Never throws. */
export const answerRequest = (exchange: Exchange, answering: Answering): Promise<void> =>
  withTrace(exchange.headers, answer, exchange, answering)

async function answer(exchange: Exchange, answering: Answering): Promise<void> {
  const progress = begin(exchange)
  try {
    const preflight = exchange.method === 'OPTIONS' ? answering.origins.preflight(exchange.headers) : null
    if (preflight) {
      exchange.answer(204, { ...preflight, 'x-request-id': progress.requestId }, [], 0)
      return
    }
    const reply = await replyTo(exchange, progress, answering)
    if (progress.route?.isAudited) await audit(exchange, progress, reply, answering)
    await send(exchange, progress, reply, answering)
  } catch (error) {
    if (!(error instanceof ClientGone)) reportCrash(answering.observer, progress.requestId, error)
    exchange.destroy()
  }
}

/** Stored before the answer is sent: a client that has the answer knows that the change is recorded. */
async function audit(exchange: Exchange, progress: Progress, reply: Reply, answering: Answering): Promise<void> {
  if (reply.audited) return answering.audit(reply.audited, true)
  const { requestId, path, headers, session, body, remarks } = progress
  const address = clientAddress(exchange.headers, exchange.remoteAddress)
  const entry = auditEntry({ requestId, path, address, headers, body, remarks }, session, reply)
  if (entry) await answering.audit(entry, false)
}

function begin({ url: target, headers }: Exchange): Progress {
  // a proxy may request http://host/path
  const url = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '')
  const mark = url.indexOf('?')
  return {
    requestId: requestIdOf(headers),
    ...draftAddress(mark < 0 ? url : url.slice(0, mark)),
    query: mark < 0 ? noQuery : new URLSearchParams(url.slice(mark + 1)),
    headers,
    startedAt: performance.now(),
    route: null,
    session: null,
    cookies: [],
    readAt: null,
    bytes: null,
    body: undefined,
    remarks: {},
  }
}

/** No one writes to it. */
const noQuery = new URLSearchParams()

async function replyTo(exchange: Exchange, progress: Progress, answering: Answering): Promise<Reply> {
  const { method } = exchange
  const { origins, routes, authenticate, config } = answering
  const { maxBodySize } = config
  let { headers } = exchange
  const internals = ({ role }: Session) => config.devMode || (config.adminInternalErrors && role === adminRole)
  try {
    progress.route = findRoute(routes, method, progress.path)
    origins.check(headers)
    const { route } = progress
    if (!route) throw notFound()
    headers = ownHeaders(headers, config.headerPrefix)
    progress.headers = headers
    if (progress.draft !== null) headers = { ...headers, [draftHeader]: progress.draft }
    if (headers[draftHeader] !== undefined && !route.takesDrafts) throw noDraftHere()
    // a body of any media type is read, and pages of other sites can send some of them with the browser's cookies
    if (headers.cookie !== undefined && !origins.takesCookies(headers)) {
      const { cookie, ...others } = headers
      headers = others
    }
    if (route.authenticated) {
      const graphqlRequest = () => peekGraphqlRequest(exchange, progress, config)
      const authentication =
        exchange.kept?.authentication ??
        authenticate({
          headers,
          requestId: progress.requestId,
          takesAccessTokens: route.takesAccessTokens === true,
          graphqlRequest,
        })
      const found = authentication instanceof Promise ? await authentication : authentication
      if (exchange.kept && found.isOfHeaders) exchange.kept.authentication = found
      progress.session = found.session
      progress.cookies = found.cookies
    }
    if (route.method === 'POST') {
      if (route.api === 'graphql') checkContentType(textOf(headers['content-type']))
      checkContentEncoding(textOf(headers['content-encoding']))
      const body = received(exchange, progress, maxBodySize)
      const bytes = body instanceof Promise ? await body : body
      const values = route.api === 'graphql' ? config.maxGraphqlValues : config.maxBodyValues
      progress.body ??= isLongBody(bytes)
        ? await parseLongJson(bytes, values, route.lateLists)
        : parseJson(bytes, values)
    }
    if (route.method === '*') {
      checkContentEncoding(textOf(headers['content-encoding']))
      await received(exchange, progress, maxBodySize)
    }
    return await route.answer({
      requestId: progress.requestId,
      method,
      path: progress.path,
      address: clientAddress(exchange.headers, exchange.remoteAddress),
      bytes: progress.bytes ?? noBytes,
      headers,
      query: progress.query,
      body: progress.body,
      session: progress.session ?? anonymousAdmin,
      signal: exchange.gone,
      notes: progress,
      internals,
    })
  } catch (cause) {
    if (cause instanceof ClientGone) throw cause
    const error = cause instanceof ApiError ? cause : unexpectedError(cause)
    if (error !== cause) reportCrash(answering.observer, progress.requestId, cause)
    const { session, route } = progress
    const style = isGraphqlResponse(headers, route) ? 'graphql' : (route?.errors ?? 'api')
    const reply = errorReply(error, style, session !== null && internals(session), config.preserve401Errors)
    return session && route?.headers ? { ...reply, headers: route.headers() } : reply
  }
}

const noDraftHere = () =>
  new ApiError('not-supported', Path.root, 'drafts are served for GraphQL, REST endpoints and explain alone')

const noBytes = Buffer.alloc(0)

function findRoute(routes: Answering['routes'], method: string, path: string): Route | null {
  const wanted = method === 'HEAD' ? 'GET' : method
  const own = routes.get(path)?.findLast((route) => route.method === wanted)
  return own ?? [...routes.values()].flat().find((route) => isBelow(route, method, path)) ?? null
}

const isBelow = (route: Route, method: string, path: string): boolean =>
  (route.method === '*' || route.method === method) &&
  route.path.endsWith('/*') &&
  path.startsWith(route.path.slice(0, -1))

/** All bytes of the body, received once. */
function received(exchange: Exchange, progress: Progress, limit: number): Buffer | Promise<Buffer> {
  if (progress.bytes !== null) return progress.bytes
  const done = (bytes: Buffer) => {
    progress.readAt = performance.now()
    progress.bytes = bytes
    return bytes
  }
  const body = exchange.body(limit)
  return body instanceof Promise ? body.then(done) : done(body)
}

/** For the authentication webhook, which comes before the body is decoded: what is no GraphQL request is null. */
async function peekGraphqlRequest(
  exchange: Exchange,
  progress: Progress,
  { maxBodySize, maxGraphqlValues: values }: ServerConfig,
): Promise<unknown> {
  if (progress.route?.api !== 'graphql' || progress.route.method !== 'POST') return null
  const bytes = await received(exchange, progress, maxBodySize)
  try {
    progress.body = isLongBody(bytes) ? await parseLongJson(bytes, values) : parseJson(bytes, values)
    return progress.body
  } catch {
    return null
  }
}

/** Batches are no part of that type. */
const isGraphqlResponse = (headers: Headers, route: Route | null, mode?: Reply['mode']): boolean =>
  route?.api === 'graphql' && mode !== 'batched' && prefersGraphqlResponse(textOf(headers.accept))

/** Of headers that node joins to one text even when they came twice. */
const textOf = (header: Headers[string]): string | undefined => (typeof header === 'string' ? header : undefined)

function reportCrash(observer: Observer, requestId: string, error: unknown): void {
  observer.report({ kind: 'request-crashed', requestId, error: errorReport(error) })
}

async function send(
  exchange: Exchange,
  progress: Progress,
  reply: Reply,
  { origins, observer, config }: Answering,
): Promise<void> {
  const { headers } = exchange
  const length = reply.body.reduce((sum, part) => sum + part.length, 0)
  const isGzip = reply.error === null && wantsGzip(textOf(headers['accept-encoding']), length)
  const body = isGzip ? await gzipped(reply.body, length) : reply.body
  const sent = isGzip ? body.reduce((sum, part) => sum + part.length, 0) : length
  // no spreads, which cost a small answer more than the rest of this
  const answerHeaders: Record<string, string | readonly string[]> = {
    'content-type': isGraphqlResponse(headers, progress.route, reply.mode)
      ? graphqlResponseType
      : (reply.contentType ?? jsonType),
    'x-request-id': progress.requestId,
  }
  if (isGzip) answerHeaders['content-encoding'] = 'gzip'
  if (headers.origin !== undefined) Object.assign(answerHeaders, origins.headers(headers))
  if (reply.headers) Object.assign(answerHeaders, reply.headers)
  if (progress.cookies.length > 0 && reply.mode !== 'batched') answerHeaders['set-cookie'] = progress.cookies
  exchange.answer(reply.status, answerHeaders, body, sent)
  observer.report({
    kind: 'request-answered',
    requestId: progress.requestId,
    status: reply.status,
    method: exchange.method,
    ip: clientAddress(exchange.headers, exchange.remoteAddress),
    url: progress.path,
    route: progress.route?.path ?? null,
    isProbe: progress.route?.isProbe === true && reply.status < 400 && !config.logProbes,
    httpVersion: exchange.httpVersion,
    contentEncoding: isGzip ? 'gzip' : null,
    role: progress.session?.role ?? null,
    userVariables: progress.session && Object.fromEntries(progress.session.variables),
    responseSize: sent,
    uncompressedResponseSize: length,
    requestReadTime: progress.readAt === null ? 0 : (progress.readAt - progress.startedAt) / 1000,
    queryExecutionTime: (performance.now() - (progress.readAt ?? progress.startedAt)) / 1000,
    mode: reply.mode,
    operation: typeOf(progress.body),
    error: reply.error,
    operations: reply.operations,
    query: progress.body,
    isMetadata: progress.route?.api === 'metadata',
    rawQuery: progress.bytes && progress.body === undefined ? progress.bytes.toString('utf8', 0, 1000) : null,
  })
}

function typeOf(body: unknown): string | null {
  return typeof body === 'object' && body !== null && 'type' in body && typeof body.type === 'string' ? body.type : null
}

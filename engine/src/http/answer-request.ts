import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Authenticator } from '../auth/index.ts'
import { ApiError } from '../errors.ts'
import { errorReport, type Observer } from '../observe/index.ts'
import { adminRole, type Session } from '../session.ts'
import { gzipped, wantsGzip } from './compress.ts'
import { errorReply, notFound, unexpectedError } from './error-reply.ts'
import { checkContentType, graphqlResponseType, prefersGraphqlResponse } from './media-type.ts'
import type { OriginPolicy } from './origin-policy.ts'
import { nobody } from './plain-routes.ts'
import { ClientGone, parseJson, readBody } from './read-body.ts'
import { jsonType, type Reply, type Route } from './route.ts'

export interface Answering {
  readonly routes: ReadonlyMap<string, Route>
  readonly authenticate: Authenticator
  readonly origins: OriginPolicy
  readonly observer: Observer
  readonly maxBodySize: number
  readonly devMode: boolean
  readonly adminInternalErrors: boolean
  /** True once the server stops: connections are not kept then. */
  readonly closing: () => boolean
}

/** What is known of a request as it goes along; the log tells it however far it came. */
interface Progress {
  readonly requestId: string
  readonly path: string
  readonly query: URLSearchParams
  readonly startedAt: number
  route: Route | null
  session: Session | null
  readAt: number | null
  bytes: Buffer | null
  body: unknown
}

/** Every request's way: id, origin, route, authentication, body, answer, log. Never throws. */
export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  answering: Answering,
): Promise<void> {
  const progress = begin(request)
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new ClientGone())
  })
  try {
    const preflight = request.method === 'OPTIONS' ? answering.origins.preflight(request.headers) : null
    if (preflight) {
      response.writeHead(204, { ...preflight, 'x-request-id': progress.requestId }).end()
      return
    }
    const reply = await replyTo(request, progress, answering, gone.signal)
    await send(request, response, progress, reply, answering)
  } catch (error) {
    if (!(error instanceof ClientGone)) tellCrash(answering.observer, progress.requestId, error)
    response.destroy()
  }
}

function begin(request: IncomingMessage): Progress {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  const given = request.headers['x-request-id']
  return {
    requestId: typeof given === 'string' && given !== '' && given.length <= 256 ? given : randomUUID(),
    path: mark < 0 ? url : url.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    startedAt: performance.now(),
    route: null,
    session: null,
    readAt: null,
    bytes: null,
    body: undefined,
  }
}

async function replyTo(
  request: IncomingMessage,
  progress: Progress,
  answering: Answering,
  signal: AbortSignal,
): Promise<Reply> {
  const { origins, routes, authenticate, maxBodySize } = answering
  const internals = ({ role }: Session) => answering.devMode || (answering.adminInternalErrors && role === adminRole)
  try {
    progress.route = routes.get(`${request.method === 'HEAD' ? 'GET' : request.method} ${progress.path}`) ?? null
    origins.check(request.headers)
    const { route } = progress
    if (!route) throw notFound()
    if (route.authenticated) progress.session = authenticate(request.headers)
    if (route.method === 'POST') {
      if (route.api === 'graphql') checkContentType(request.headers['content-type'])
      progress.bytes = await readBody(request, maxBodySize)
      progress.readAt = performance.now()
      progress.body = parseJson(progress.bytes)
    }
    return await route.answer({
      requestId: progress.requestId,
      headers: request.headers,
      query: progress.query,
      body: progress.body,
      session: progress.session ?? nobody,
      signal,
      internals,
    })
  } catch (cause) {
    if (cause instanceof ClientGone) throw cause
    const error = cause instanceof ApiError ? cause : unexpectedError(cause)
    if (error !== cause) tellCrash(answering.observer, progress.requestId, cause)
    const { session, route } = progress
    const style = isGraphqlResponse(request, route) ? 'graphql' : (route?.errors ?? 'api')
    const reply = errorReply(error, style, session !== null && internals(session))
    return session && route?.headers ? { ...reply, headers: route.headers() } : reply
  }
}

/** Batches are no part of that type. */
const isGraphqlResponse = (request: IncomingMessage, route: Route | null, mode?: Reply['mode']): boolean =>
  route?.api === 'graphql' && mode !== 'batched' && prefersGraphqlResponse(request.headers.accept)

function tellCrash(observer: Observer, requestId: string, error: unknown): void {
  observer.tell({ kind: 'request-crashed', requestId, error: errorReport(error) })
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  progress: Progress,
  reply: Reply,
  { origins, observer, closing }: Answering,
): Promise<void> {
  const length = reply.body.reduce((sum, part) => sum + part.length, 0)
  const isGzip = reply.error === null && wantsGzip(request.headers['accept-encoding'] as string | undefined, length)
  const body = isGzip ? await gzipped(reply.body, length) : reply.body
  const sent = isGzip ? body.reduce((sum, part) => sum + part.length, 0) : length
  response.writeHead(reply.status, {
    'content-type': isGraphqlResponse(request, progress.route, reply.mode)
      ? graphqlResponseType
      : (reply.contentType ?? jsonType),
    'content-length': sent,
    'x-request-id': progress.requestId,
    ...(isGzip && { 'content-encoding': 'gzip' }),
    ...(closing() && { connection: 'close' }),
    ...origins.headers(request.headers),
    ...reply.headers,
  })
  endWith(response, body, sent)
  observer.tell({
    kind: 'request-answered',
    requestId: progress.requestId,
    status: reply.status,
    method: request.method ?? '',
    ip: ipOf(request),
    url: progress.path,
    httpVersion: request.httpVersion,
    contentEncoding: isGzip ? 'gzip' : null,
    userVariables: progress.session && Object.fromEntries(progress.session.variables),
    responseSize: sent,
    uncompressedResponseSize: length,
    requestReadTime: progress.readAt === null ? 0 : (progress.readAt - progress.startedAt) / 1000,
    queryExecutionTime: (performance.now() - (progress.readAt ?? progress.startedAt)) / 1000,
    mode: reply.mode,
    operation: typeOf(progress.body),
    error: reply.error,
    query: progress.body,
    isMetadata: progress.route?.api === 'metadata',
    rawQuery: progress.bytes && progress.body === undefined ? progress.bytes.toString('utf8', 0, 1000) : null,
  })
}

/** Small answers in one piece: each write of its own may be a packet of its own. */
function endWith(response: ServerResponse, body: readonly Buffer[], length: number): void {
  if (length <= SMALL) {
    // bytes as characters of latin1: node joins a text to the headers, where a buffer would be a second piece
    response.end(
      body.reduce((text, part) => text + part.toString('latin1'), ''),
      'latin1',
    )
    return
  }
  if (length <= 65_536) return void response.end(body.length === 1 ? body[0] : Buffer.concat(body, length))
  response.cork()
  for (const part of body) response.write(part)
  response.end()
  response.uncork()
}

const SMALL = 2048

function ipOf(request: IncomingMessage): string {
  const header = request.headers['x-real-ip'] ?? request.headers['x-forwarded-for']
  return typeof header === 'string' && header !== '' ? header : (request.socket.remoteAddress ?? '')
}

function typeOf(body: unknown): string | null {
  return typeof body === 'object' && body !== null && 'type' in body && typeof body.type === 'string' ? body.type : null
}

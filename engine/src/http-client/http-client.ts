import { servedVersion } from '../config/index.ts'
import type { Observer } from '../observe/index.ts'
import type { TraceContext, TraceParent } from '../tracing/index.ts'
import { isPrivateAddress } from './addresses.ts'
import { createAgents } from './agents.ts'
import type { FailureKind, HttpHeader, HttpRequest, HttpResult } from './http-request.ts'
import { type Answer, send } from './send.ts'
import { isTlsAllowed, type TlsAllowedHost } from './tls-allowlist.ts'

export interface HttpClientOptions {
  /** False: requests to loopback, link-local and private addresses are refused, at connecting and in redirects. */
  readonly allowPrivateAddresses: boolean
  /** Bytes of a response body, where a request says nothing else. */
  readonly maxResponseBytes: number
  /** Hosts whose certificates are not verified; read for each request. */
  readonly tlsAllowlist: () => readonly TlsAllowedHost[]
  readonly report: Observer['report']
  /** Headers that carry on a trace, the one of a request or another, or begin one (reference/actions#webhooks). */
  readonly trace?: (requestId: string | null, cause: TraceContext | null) => TraceParent
  /** Connections to one host at a time; 256 by default. */
  readonly maxSockets?: number
}

export interface HttpClient {
  /** Sends a request. Never rejects: what goes wrong is a failure of a kind. */
  send(request: HttpRequest): Promise<HttpResult>
  /** Ends idle connections; requests in flight fail. */
  close(): void
}

const userAgent: HttpHeader = ['User-Agent', `svc-graphql-engine/${servedVersion}`]

/** Headers that every call of a handler or webhook has. */
export const builtInHeaders: readonly HttpHeader[] = [['Content-Type', 'application/json'], userAgent]

const defaultRedirects = 10

/** Creates a client with connections of its own. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const agents = createAgents(options.allowPrivateAddresses, options.maxSockets ?? 256)

  async function exchange(request: HttpRequest, signal: AbortSignal): Promise<Answer> {
    let step = readUrl(request)
    for (let followed = 0; ; followed++) {
      if (step.kind === 'failed') return step
      const { url, method, headers, body } = step
      if (!options.allowPrivateAddresses && isPrivateAddress(url.hostname.replace(/^\[|\]$/g, '')))
        return failed('refused-address', 'the address is private, and requests to private addresses are refused')
      const answer = await send(agents, {
        url,
        method,
        headers,
        body,
        verifyCertificate: !isTlsAllowed(options.tlsAllowlist(), url),
        maxResponseBytes: request.maxResponseBytes ?? options.maxResponseBytes,
        signal,
      })
      const limit = request.redirects ?? defaultRedirects
      if (answer.kind === 'failed' || limit === 0 || !redirectStatuses.has(answer.status)) return answer
      const location = answer.headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
      if (location === undefined) return answer
      if (followed === limit) return failed('too-many-redirects', `more than ${limit} redirects`)
      step = redirected(step, answer.status, location)
    }
  }

  return {
    send: async (asked) => {
      const trace = options.trace?.(asked.requestId ?? null, asked.cause ?? null) ?? null
      const request = trace ? { ...asked, headers: traced(asked.headers, trace) } : asked
      const started = performance.now()
      const deadline = createDeadline(request)
      // a failure of the client itself is a bug, and yet no one's request may end without an answer
      const answer = await exchange(request, deadline.signal).catch(() => failed('connection', 'the request failed'))
      const reason = answer.kind === 'failed' ? deadline.reason() : null
      deadline.end()
      const milliseconds = performance.now() - started
      const result: HttpResult =
        answer.kind === 'answer'
          ? { kind: 'response', status: answer.status, headers: answer.headers, body: answer.body, milliseconds }
          : { ...(reason ?? answer), kind: 'failure', milliseconds }
      reportSent(options.report, request, trace?.spanId ?? null, result)
      return result
    },
    close: () => agents.destroy(),
  }
}

/** Headers of a trace that came with forwarded ones are those of the span above. */
function traced(headers: readonly HttpHeader[], { headers: own }: TraceParent): readonly HttpHeader[] {
  return [...own, ...headers.filter(([name]) => !/^(b3|x-b3-.*|traceparent|tracestate)$/i.test(name))]
}

interface Step {
  readonly kind: 'step'
  readonly url: URL
  readonly method: string
  readonly headers: readonly HttpHeader[]
  readonly body: string | Uint8Array | null
}

type Failed = Extract<Answer, { kind: 'failed' }>

const failed = (failure: FailureKind, message: string): Failed => ({ kind: 'failed', failure, message, code: null })

function readUrl(request: HttpRequest): Step | Failed {
  const url = URL.parse(request.url)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return failed('invalid-url', 'the URL is not an absolute http or https URL')
  const named = request.isComplete || request.headers.some(([name]) => name.toLowerCase() === 'user-agent')
  const headers: readonly HttpHeader[] = named ? request.headers : [...request.headers, userAgent]
  return { kind: 'step', url, method: request.method, headers, body: request.body }
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** Sent to other origins too: names of any other kind may have been configured with a secret. */
const isForOtherOrigins = (name: string) =>
  /^(accept(-.*)?|content-.*|user-agent|traceparent|tracestate|b3|x-b3-.*|x-request-id)$/.test(name)

function redirected(step: Step, status: number, location: string): Step | Failed {
  const url = URL.parse(location, step.url.href)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return failed('invalid-url', 'a redirect to no http URL')
  const asGet = status === 302 || status === 303
  const headers = step.headers.filter(([name]) => {
    const key = name.toLowerCase()
    if (asGet && key.startsWith('content-')) return false
    return url.origin === step.url.origin || isForOtherOrigins(key)
  })
  return { kind: 'step', url, method: asGet ? 'GET' : step.method, headers, body: asGet ? null : step.body }
}

/** Milliseconds: a longer timer of node's fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1

/** The caller's signal and the time limit as one signal that says which of them it was. */
function createDeadline({ timeout, signal }: HttpRequest) {
  const controller = new AbortController()
  let cause: Failed | null = null
  const stop = (why: Failed) => {
    cause ??= why
    controller.abort()
  }
  const aborted = () => stop(failed('aborted', 'the request was cancelled'))
  if (signal?.aborted) aborted()
  signal?.addEventListener('abort', aborted, { once: true })
  const timer =
    timeout === null
      ? undefined
      : setTimeout(() => stop(failed('timeout', 'the response took too long')), Math.min(timeout, LONGEST_TIMER))
  return {
    signal: controller.signal,
    reason: (): Failed | null => cause,
    end: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', aborted)
    },
  }
}

function reportSent(report: Observer['report'], request: HttpRequest, spanId: string | null, result: HttpResult): void {
  report({
    kind: 'http-request-sent',
    purpose: request.purpose,
    requestId: request.requestId ?? null,
    spanId,
    method: request.method,
    url: request.shownUrl.replace(/[?#].*$/s, '').replace(/^(\w+:\/\/)[^/]*@/, '$1'),
    status: result.kind === 'response' ? result.status : null,
    failure: result.kind === 'failure' ? result.failure : null,
    responseSize: result.kind === 'response' ? result.body.length : 0,
    milliseconds: result.milliseconds,
  })
}

import { builtInHeaders, type HeaderEntry, type HttpClient, type HttpResponse } from '../http-client/index.ts'
import type { TraceContext } from '../tracing/index.ts'
import {
  httpException,
  type Invocation,
  type LogVersion,
  loggedError,
  loggedRequest,
  loggedResponse,
  messageOf,
} from './invocation.ts'
import { readRetryAfter } from './next-attempt.ts'
import type { OutgoingRequest, WebhookTransforms } from './transforms.ts'
import type { Webhook } from './webhook.ts'

export interface WebhookCall {
  readonly webhook: Webhook
  /** JSON text. */
  readonly body: string
  /** Milliseconds. */
  readonly timeout: number
  /** What a timeout is called where it limits the whole attempt; null: it is the response's. */
  readonly timeoutMessage: { readonly message: string; readonly payload: string | null } | null
  readonly transforms: WebhookTransforms | null
  /** Null where the call has no session. */
  readonly sessionVariables: ReadonlyMap<string, string> | null
  /** The trace that the call belongs to; null: one of its own. */
  readonly cause: TraceContext | null
  readonly version: LogVersion
  /** The part of the engine that calls, for observations. */
  readonly purpose: string
  readonly signal?: AbortSignal
}

/** What became of a call (reference/event-triggers#outcome). */
export type WebhookOutcome =
  | { readonly kind: 'delivered'; readonly invocation: Invocation; readonly milliseconds: number }
  | {
      readonly kind: 'failed'
      /** Seconds to wait, from the receiver's Retry-After. */
      readonly retryAfter: number | null
      readonly invocation: Invocation
      readonly milliseconds: number
    }
  /** The request could not be made: trying again is useless. */
  | { readonly kind: 'untransformable'; readonly message: string }
  /** No one waits any more. */
  | { readonly kind: 'aborted' }

const builtInNames = new Set(builtInHeaders.map(([name]) => name.toLowerCase()))
const isConfigured = (name: string) => !builtInNames.has(name.toLowerCase())

/** Sends a payload to a webhook. Never rejects. The engine's own headers win over configured ones. */
export async function callWebhook(client: HttpClient, call: WebhookCall): Promise<WebhookOutcome> {
  const { webhook, transforms, version, timeout } = call
  const headers = [...builtInHeaders, ...webhook.headers.filter(([name]) => isConfigured(name))]
  const shownHeaders: readonly HeaderEntry[] = [
    ...builtInHeaders.map(([name, value]) => ({ name, value })),
    ...webhook.shownHeaders.filter(({ name }) => isConfigured(name)),
  ]
  const plain = { method: 'POST', url: webhook.url, headers, body: call.body, payload: call.body }
  const made = (await transforms?.request(plain, call.sessionVariables)) ?? {
    kind: 'request' as const,
    request: plain,
  }
  if (made.kind === 'errors') return { kind: 'untransformable', message: made.message }
  const { request } = made
  const result = await client.send({
    method: request.method,
    url: request.url,
    shownUrl: webhook.shownUrl,
    purpose: call.purpose,
    headers: request.headers,
    isComplete: true,
    ...(call.cause && { cause: call.cause }),
    body: request.body,
    timeout,
    ...(call.signal && { signal: call.signal }),
  })
  const { milliseconds } = result
  const logged = loggedRequest(request.payload, shownHeaders, version)
  if (result.kind === 'failure') {
    if (result.failure === 'aborted') return { kind: 'aborted' }
    const { timeoutMessage } = call
    const invocation: Invocation =
      result.failure === 'timeout' && timeoutMessage
        ? {
            status: 500,
            request: loggedRequest(timeoutMessage.payload, shownHeaders, version),
            response: loggedError(JSON.stringify(timeoutMessage.message), version),
          }
        : {
            status: null,
            request: logged,
            response: loggedError(
              httpException(result, { url: request.url, shownUrl: webhook.shownUrl }, request.method, timeout),
              version,
            ),
          }
    return { kind: 'failed', retryAfter: null, invocation, milliseconds }
  }
  if (result.status < 200 || result.status >= 300)
    return {
      kind: 'failed',
      retryAfter: readRetryAfter(result.headers),
      invocation: {
        status: result.status,
        request: logged,
        response: loggedError(messageOf(result.body), version),
      },
      milliseconds,
    }
  return { ...(await respond(plain, result, call, logged)), milliseconds }
}

/** A response transform only changes what is logged; one that fails makes the attempt a failure. */
async function respond(
  sent: OutgoingRequest,
  response: HttpResponse,
  { transforms, sessionVariables, version }: WebhookCall,
  request: string,
): Promise<
  | { readonly kind: 'delivered'; readonly invocation: Invocation }
  | { readonly kind: 'failed'; readonly retryAfter: null; readonly invocation: Invocation }
> {
  const transformed = (await transforms?.response(sent, response, sessionVariables)) ?? {
    kind: 'body' as const,
    text: null,
  }
  if (transformed.kind === 'errors')
    return {
      kind: 'failed',
      retryAfter: null,
      invocation: { status: 500, request, response: loggedError(JSON.stringify(transformed.message), version) },
    }
  return {
    kind: 'delivered',
    invocation: { status: response.status, request, response: loggedResponse(response, transformed.text, version) },
  }
}

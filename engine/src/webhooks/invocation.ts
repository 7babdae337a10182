import { type HeaderEntry, type HttpFailure, type HttpResponse, shownUrl } from '../http-client/index.ts'

/** What is stored of an attempt, as JSON texts (reference/event-triggers#outcome). */
export interface Invocation {
  /** Null: no response came. 500: the engine itself failed. */
  readonly status: number | null
  readonly request: string
  readonly response: string
}

/** 2: events of tables, 1: scheduled ones. */
export type LogVersion = '1' | '2'

/** `payload`: the JSON text that was sent; null where it was none. */
export function loggedRequest(payload: string | null, headers: readonly HeaderEntry[], version: LogVersion): string {
  const shown = headers.map(({ name, value, value_from_env }) =>
    value_from_env === undefined ? { name, value } : { name, value_from_env },
  )
  return `{"payload":${payload ?? 'null'},"headers":${JSON.stringify(shown)},"version":"${version}"}`
}

/** `body`: what stands for the response's own, after a transform. */
export function loggedResponse(response: HttpResponse, body: string | null, version: LogVersion): string {
  const data = {
    status: response.status,
    headers: response.headers.map(([name, value]) => ({ name, value })),
    body: body ?? textOf(response.body),
  }
  return JSON.stringify({ type: 'webhook_response', version, data })
}

export const loggedError = (message: string, version: LogVersion): string =>
  JSON.stringify({ type: 'client_error', version, data: { message } })

/** UTF-8, or Base64 of what is none. */
function textOf(bytes: Buffer): string | readonly [string, string] {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return ['Base64', bytes.toString('base64')]
  }
}

/** The text of a body that is part of a message. */
export const messageOf = (body: Buffer): string => {
  const text = textOf(body)
  return typeof text === 'string' ? text : JSON.stringify(text)
}

const failureWords: Readonly<Record<HttpFailure['failure'], string>> = {
  aborted: 'the request was cancelled',
  connection: 'Connection failure',
  'invalid-request': 'Invalid request',
  'invalid-url': 'Invalid URL',
  'refused-address': 'Refused address',
  timeout: 'Response timeout',
  tls: 'TLS failure',
  'too-large': 'Response too large',
  'too-many-redirects': 'Too many redirects',
}

/** Returns a request without a response as JSON text (reference/actions#answers-of-handlers, error A). */
export function httpException(
  failure: HttpFailure,
  { url, shownUrl: configured }: { readonly url: string; readonly shownUrl: string },
  method: string,
  timeout: number | null,
): string {
  const shown = shownUrl(url, configured)
  if (failure.failure === 'invalid-url' || !shown)
    return JSON.stringify({ type: 'invalid_url', message: failureWords['invalid-url'] })
  const isTimeout = failure.failure === 'timeout'
  return JSON.stringify({
    type: 'http_exception',
    message: isTimeout ? failureWords.timeout : `${failureWords[failure.failure]}: ${failure.message}`,
    request: { ...shown, method, responseTimeout: timeout === null ? 'none' : `${timeout}ms` },
  })
}

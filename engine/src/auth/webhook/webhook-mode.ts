import { ApiError, Path } from '../../errors.ts'
import type { HttpClient, HttpResult } from '../../http-client/index.ts'
import type { Observer } from '../../observe/index.ts'
import type { Authentication, AuthenticationRequest } from '../authentication.ts'
import { authenticationOf } from './hook-answer.ts'
import { type HookSettings, hookRequest } from './hook-request.ts'

/** Milliseconds for a hook to answer. */
const timeout = 30_000
/** Bytes. */
const largestResponse = 1_048_576

export interface HookServices {
  readonly http: HttpClient
  readonly report: Observer['report']
  /** Of session variables, lower case. */
  readonly prefix?: string
}

/**
 * Calls the webhook for each request (reference/authentication#webhook). Rejects with what the response means, or
 * unexpected 500.
 */
export async function authenticateByHook(
  settings: HookSettings,
  request: AuthenticationRequest,
  { http, report, prefix }: HookServices,
): Promise<Authentication> {
  const { headers, body } = await hookRequest(settings, request, prefix)
  const result = await http.send({
    method: settings.method,
    url: settings.url,
    shownUrl: settings.url,
    purpose: 'authentication hook',
    requestId: request.requestId,
    headers,
    body,
    timeout,
    redirects: 0,
    maxResponseBytes: largestResponse,
  })
  reportAnswer(settings, request.requestId, result, report)
  if (result.kind === 'failure')
    throw new ApiError('unexpected', Path.root, 'webhook authentication request failed', { status: 500 })
  return authenticationOf(result, Date.now(), prefix)
}

function reportAnswer(
  { url, method }: HookSettings,
  requestId: string,
  result: HttpResult,
  report: Observer['report'],
): void {
  const failed = result.kind === 'failure' || result.status !== 200
  const { origin, pathname } = new URL(url)
  report({
    kind: 'auth-hook-answered',
    requestId,
    url: origin + pathname,
    method,
    status: result.kind === 'response' ? result.status : null,
    error: result.kind === 'failure' ? result.message : null,
    response: failed && result.kind === 'response' ? result.body.toString('utf8', 0, 1000) : null,
  })
}

import { isRecord } from '@svc/schema'
import { ApiError, Path } from '../../errors.ts'
import type { HttpClient, HttpResponse, HttpResult } from '../../http-client/index.ts'
import type { Observer } from '../../observe/index.ts'
import { ownPrefix, variableName, withPrefix } from '../../session.ts'
import type { Authentication, AuthenticationRequest } from '../authentication.ts'
import { isVariable } from '../session-variables.ts'
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

/**
 * What a hook's response means (reference/authentication#webhook). Throws access-denied 401, invalid-params, unexpected
 * 500. `now`: milliseconds.
 */
function authenticationOf(response: HttpResponse, now: number, prefix: string = ownPrefix): Authentication {
  if (response.status === 401)
    throw new ApiError('access-denied', Path.root, 'Authentication hook unauthorized this request', { status: 401 })
  if (response.status !== 200) throw invalid('Invalid response from authorization hook')
  const body = stringsOf(response.body)
  const variables = new Map<string, string>()
  for (const [given, value] of Object.entries(body)) {
    const name = variableName(given, prefix)
    if (name === null || !isVariable(name, prefix)) continue
    if (prefix !== ownPrefix && (variables.get(name) ?? value) !== value)
      throw invalid(`Invalid response from authorization hook: two values of "${name}"`)
    variables.set(name, value)
  }
  const role = variables.get(`${prefix}role`)
  if (!role) throw new ApiError('invalid-params', Path.root, `"${prefix}role" not found in session variables`)
  return {
    session: { role, variables, backendOnly: false, ...withPrefix(prefix) },
    cookies: response.headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value),
    expiresAt: expiryOf(body, now),
  }
}

function stringsOf(bytes: Buffer): Readonly<Record<string, string>> {
  const fault = 'Invalid response from authorization hook: expected a JSON object of texts'
  try {
    const body: unknown = JSON.parse(bytes.toString('utf8'))
    if (isStrings(body)) return body
  } catch {
    throw invalid(fault)
  }
  throw invalid(fault)
}

const isStrings = (json: unknown): json is Readonly<Record<string, string>> =>
  isRecord(json) && Object.values(json).every((value) => typeof value === 'string')

const invalid = (message: string) => new ApiError('unexpected', Path.root, message, { status: 500 })

/** The members `Cache-Control` and `Expires`, the first of which wins; what cannot be read is ignored. */
function expiryOf(body: Readonly<Record<string, string>>, now: number): number | null {
  const cacheControl = Object.hasOwn(body, 'Cache-Control') ? (body['Cache-Control'] ?? '') : ''
  const age = /(?:^|[,\s])(?:s-maxage|max-age)=(\d{1,9})(?=$|[,\s])/i.exec(cacheControl)?.[1]
  if (age !== undefined) return now + Number(age) * 1000
  const expires = Date.parse(Object.hasOwn(body, 'Expires') ? (body.Expires ?? '') : '')
  return Number.isNaN(expires) ? null : expires
}

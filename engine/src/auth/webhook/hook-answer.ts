import { isRecord } from '@svc/schema'
import { ApiError, Path } from '../../errors.ts'
import type { HttpResponse } from '../../http-client/index.ts'
import { ownPrefix, variableName, withPrefix } from '../../session.ts'
import type { Authentication } from '../authentication.ts'
import { isVariable } from '../session-variables.ts'

/**
 * What a hook's response means (reference/authentication#webhook). Throws access-denied 401, invalid-params, unexpected
 * 500. `now`: milliseconds.
 */
export function authenticationOf(response: HttpResponse, now: number, prefix: string = ownPrefix): Authentication {
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

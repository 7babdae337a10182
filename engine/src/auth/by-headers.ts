import { ApiError, Path } from '../errors.ts'
import { adminRole, withPrefix } from '../session.ts'
import { secretMatcher } from './admin-secrets.ts'
import { type Authentication, authenticated } from './authentication.ts'
import { type Headers, headerText, sessionVariables } from './session-variables.ts'

/**
 * Returns the session of a request that carries an admin secret, or null for a request without one
 * (reference/authentication#who-asks). Throws access-denied 401 for a wrong one, and what `trusted` does.
 */
export function adminAuthenticator(
  secrets: readonly string[],
  prefix?: string,
): (headers: Headers) => Authentication | null {
  const isSecret = secretMatcher(secrets)
  return (headers) => {
    const given = headerText(headers, 'x-svc-admin-secret') ?? headerText(headers, 'x-svc-access-key')
    if (given === null) return null
    if (isSecret(given)) return trusted(headers, prefix)
    throw new ApiError('access-denied', Path.root, 'invalid "x-svc-admin-secret"/"x-svc-access-key"', { status: 401 })
  }
}

/**
 * Returns the session that a trusted request names, admin when it names none. Throws bad-request for
 * X-Svc-Use-Backend-Only-Permissions with what is neither yes nor no.
 */
export function trusted(headers: Headers, prefix?: string): Authentication {
  const backendOnly = asksForBackendOnly(headerText(headers, backendOnlyHeader))
  const role = headerText(headers, 'x-svc-role') ?? adminRole
  return authenticated({ role, variables: sessionVariables(headers, role, prefix), backendOnly, ...withPrefix(prefix) })
}

/** Returns the session of a request without credentials: a fixed role, and other variables as its headers say. */
export const unauthorized = (headers: Headers, role: string, prefix?: string): Authentication =>
  authenticated({ role, variables: sessionVariables(headers, role, prefix), backendOnly: false, ...withPrefix(prefix) })

const backendOnlyHeader = 'x-svc-use-backend-only-permissions'

function asksForBackendOnly(given: string | null): boolean {
  if (given === null || /^(false|f|no|n)$/i.test(given)) return false
  if (/^(true|t|yes|y)$/i.test(given)) return true
  throw new ApiError(
    'bad-request',
    Path.root,
    `${backendOnlyHeader}:  Not a valid boolean text. True values are ["true","t","yes","y"] and  False values are ["false","f","no","n"]. All values are case insensitive`,
  )
}

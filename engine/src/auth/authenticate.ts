import { ApiError, Path } from '../errors.ts'
import { adminRole } from '../session.ts'
import { secretMatcher } from './admin-secrets.ts'
import { type Authenticate, type Authentication, authenticated } from './authentication.ts'
import { type Headers, headerText, sessionVariables } from './session-variables.ts'

export interface AuthSettings {
  /** Empty: open mode. */
  readonly secrets: readonly string[]
  readonly unauthorizedRole: string | null
}

/**
 * Open and secret mode (spec 04 §2.1, §2.2). The result throws access-denied 401 for a secret that is wrong, or missing
 * without an unauthorized role; bad-request for X-Svc-Use-Backend-Only-Permissions with what is neither yes nor no.
 */
export function authenticator({ secrets, unauthorizedRole }: AuthSettings): Authenticate {
  const isSecret = secretMatcher(secrets)
  return ({ headers }) => {
    if (secrets.length === 0) return trusted(headers)
    const given = headerText(headers, 'x-svc-admin-secret') ?? headerText(headers, 'x-svc-access-key')
    if (given !== null) {
      if (isSecret(given)) return trusted(headers)
      throw denied('invalid "x-svc-admin-secret"/"x-svc-access-key"')
    }
    if (unauthorizedRole !== null)
      return authenticated({
        role: unauthorizedRole,
        variables: sessionVariables(headers, unauthorizedRole),
        backendOnly: false,
      })
    throw denied('"x-svc-admin-secret"/"x-svc-access-key" required, but not found')
  }
}

function trusted(headers: Headers): Authentication {
  const backendOnly = asksForBackendOnly(headerText(headers, backendOnlyHeader))
  const role = headerText(headers, 'x-svc-role') ?? adminRole
  return authenticated({ role, variables: sessionVariables(headers, role), backendOnly })
}

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

const denied = (message: string) => new ApiError('access-denied', Path.root, message, { status: 401 })

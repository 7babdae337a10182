import { ApiError, Path } from '../errors.ts'
import { adminRole, type Session } from '../session.ts'
import { secretMatcher } from './admin-secrets.ts'
import { type Headers, headerText, sessionVariables } from './session-variables.ts'

export interface AuthSettings {
  /** Empty: open mode. */
  readonly secrets: readonly string[]
  readonly unauthorizedRole: string | null
}

export type Authenticator = (headers: Headers) => Session

/**
 * Open and secret mode (spec 04 §2.1, §2.2). The result throws access-denied 401 for a secret that is wrong, or missing
 * without an unauthorized role; bad-request for X-Svc-Use-Backend-Only-Permissions with what is neither yes nor no.
 */
export function authenticator({ secrets, unauthorizedRole }: AuthSettings): Authenticator {
  const isSecret = secretMatcher(secrets)
  return (headers) => {
    if (secrets.length === 0) return trusted(headers)
    const given = headerText(headers, 'x-svc-admin-secret') ?? headerText(headers, 'x-svc-access-key')
    if (given !== null) {
      if (isSecret(given)) return trusted(headers)
      throw denied('invalid "x-svc-admin-secret"/"x-svc-access-key"')
    }
    if (unauthorizedRole !== null)
      return { role: unauthorizedRole, variables: sessionVariables(headers, unauthorizedRole) }
    throw denied('"x-svc-admin-secret"/"x-svc-access-key" required, but not found')
  }
}

function trusted(headers: Headers): Session {
  checkBackendOnly(headerText(headers, backendOnly))
  const role = headerText(headers, 'x-svc-role') ?? adminRole
  return { role, variables: sessionVariables(headers, role) }
}

const backendOnly = 'x-svc-use-backend-only-permissions'

/** Whoever asks for them wrongly is told, though nothing is served yet that they would show (spec 02 §5.2). */
function checkBackendOnly(given: string | null): void {
  if (given === null || /^(true|t|yes|y|false|f|no|n)$/i.test(given)) return
  throw new ApiError(
    'bad-request',
    Path.root,
    `${backendOnly}:  Not a valid boolean text. True values are ["true","t","yes","y"] and  False values are ["false","f","no","n"]. All values are case insensitive`,
  )
}

const denied = (message: string) => new ApiError('access-denied', Path.root, message, { status: 401 })

import { FatalError } from '../config/index.ts'
import type { JwtSecret } from './jwt/jwt-secret.ts'
import { readJwtSecret, readJwtSecrets } from './jwt/read-jwt-secret.ts'
import type { HookSettings } from './webhook/hook-request.ts'

/** How requests without an admin secret are authenticated (reference/authentication#modes). */
export type AuthMode =
  | { readonly kind: 'open' }
  | { readonly kind: 'secret'; readonly secrets: readonly string[]; readonly unauthorizedRole: string | null }
  | { readonly kind: 'webhook'; readonly secrets: readonly string[]; readonly hook: HookSettings }
  | {
      readonly kind: 'jwt'
      readonly secrets: readonly string[]
      readonly jwt: readonly JwtSecret[]
      readonly unauthorizedRole: string | null
    }

/** The settings that choose it. */
export interface AuthSettings {
  /** Admin secrets. */
  readonly secrets: readonly string[]
  readonly unauthorizedRole: string | null
  readonly authHook: string | null
  readonly authHookMode: 'GET' | 'POST'
  readonly authHookSendRequestBody: boolean
  /** JSON. */
  readonly jwtSecret: string | null
  readonly jwtSecrets: string | null
  /** Of session variables, lower case; absent: ours. */
  readonly headerPrefix?: string
}

/**
 * Throws FatalError for settings that do not go together or cannot be read (reference/authentication#modes,
 * reference/authentication#jwt).
 */
export function readAuthMode(settings: AuthSettings): AuthMode {
  const { secrets, unauthorizedRole, authHook, jwtSecret, jwtSecrets, headerPrefix } = settings
  const hasJwt = jwtSecret !== null || jwtSecrets !== null
  if (authHook !== null && hasJwt)
    throw new FatalError('Fatal Error: Both webhook and JWT mode cannot be enabled at the same time')
  if (secrets.length === 0) {
    if (authHook !== null) throw needsSecret('--auth-hook (SVC_GRAPHQL_AUTH_HOOK)')
    if (hasJwt) throw needsSecret('--jwt-secret (SVC_GRAPHQL_JWT_SECRET)')
    if (unauthorizedRole !== null) throw needsSecret('--unauthorized-role (SVC_GRAPHQL_UNAUTHORIZED_ROLE)')
    return { kind: 'open' }
  }
  if (authHook !== null) {
    if (unauthorizedRole !== null)
      throw new FatalError(
        'Fatal Error: --unauthorized-role (SVC_GRAPHQL_UNAUTHORIZED_ROLE) cannot be used with --auth-hook',
      )
    const { authHookMode: method, authHookSendRequestBody: sendRequestBody } = settings
    return { kind: 'webhook', secrets, hook: { url: hookUrl(authHook), method, sendRequestBody } }
  }
  if (!hasJwt) return { kind: 'secret', secrets, unauthorizedRole }
  const jwt = [
    ...(jwtSecret === null ? [] : [reading('SVC_GRAPHQL_JWT_SECRET', () => readJwtSecret(jwtSecret, headerPrefix))]),
    ...(jwtSecrets === null ? [] : reading('SVC_GRAPHQL_JWT_SECRETS', () => readJwtSecrets(jwtSecrets, headerPrefix))),
  ]
  return { kind: 'jwt', secrets, jwt, unauthorizedRole }
}

const needsSecret = (flag: string) =>
  new FatalError(`Fatal Error: ${flag} requires --admin-secret (SVC_GRAPHQL_ADMIN_SECRET) to be set`)

function hookUrl(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new FatalError('Fatal Error:- Environment variable SVC_GRAPHQL_AUTH_HOOK: expected a URL of http or https')
}

function reading<T>(variable: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new FatalError(
      `Fatal Error:- Environment variable ${variable}: ${error instanceof Error ? error.message : 'cannot be read'}`,
    )
  }
}

import { FatalError } from '../config/index.ts'
import { ApiError, Path } from '../errors.ts'
import type { HttpClient } from '../http-client/index.ts'
import type { AccessTokens, OidcTrusts } from '../metadata/index.ts'
import type { Observer } from '../observe/index.ts'
import { accessByToken } from './access-token.ts'
import type { AuthMode } from './auth-mode.ts'
import type { Authenticate } from './authentication.ts'
import { adminAuthenticator, trusted, unauthorized } from './by-headers.ts'
import { authenticateByToken, type SecretInUse } from './jwt/jwt-mode.ts'
import type { JwtSecret } from './jwt/jwt-secret.ts'
import { KeySet } from './jwt/key-set.ts'
import { accessByOidc } from './oidc/access-by-oidc.ts'
import { IssuerKeys } from './oidc/issuer-keys.ts'
import { authenticateByHook } from './webhook/webhook-mode.ts'

export interface AuthenticationOptions {
  readonly http: HttpClient
  readonly report: Observer['report']
  /** Of session variables, lower case; absent: ours. */
  readonly prefix?: string
  /** Absent: there are no access tokens. */
  readonly access?: {
    readonly tokens: Pick<AccessTokens, 'find'>
    readonly trusts: Pick<OidcTrusts, 'of' | 'use'>
    readonly http: HttpClient
  }
}

export interface RunningAuthentication {
  readonly authenticate: Authenticate
  /** Ends the refreshing of keys. */
  close(): void
}

/**
 * From a mode to the function that authenticates by it, or by an access token in any mode. Rejects when the keys of a jwk_url
 * cannot be fetched.
 */
export async function startAuthentication(
  mode: AuthMode,
  options: AuthenticationOptions,
): Promise<RunningAuthentication> {
  const { authenticate, close } = await startMode(mode, options)
  const { access, report } = options
  if (!access) return { authenticate, close }
  const keys = new IssuerKeys({ http: access.http, report })
  const find = {
    token: (id: string, hash: string) => access.tokens.find(id, hash),
    oidc: (token: string) => accessByOidc(token, access.trusts, keys, Date.now() / 1000),
    report,
  }
  return {
    authenticate: (request) => accessByToken(request, find) ?? authenticate(request),
    close: () => {
      keys.close()
      close()
    },
  }
}

async function startMode(mode: AuthMode, options: AuthenticationOptions): Promise<RunningAuthentication> {
  const { prefix } = options
  switch (mode.kind) {
    case 'open':
      return { authenticate: ({ headers }) => trusted(headers, prefix), close: () => {} }
    case 'secret': {
      const bySecret = adminAuthenticator(mode.secrets, prefix)
      const { unauthorizedRole: role } = mode
      return {
        authenticate: ({ headers }) => {
          const admin = bySecret(headers)
          if (admin) return admin
          if (role === null) throw secretRequired()
          return unauthorized(headers, role, prefix)
        },
        close: () => {},
      }
    }
    case 'webhook': {
      const bySecret = adminAuthenticator(mode.secrets, prefix)
      return {
        authenticate: (request) => bySecret(request.headers) ?? authenticateByHook(mode.hook, request, options),
        close: () => {},
      }
    }
    case 'jwt':
      return startJwt(mode, options)
  }
}

async function startJwt(
  { secrets, jwt, unauthorizedRole: role }: Extract<AuthMode, { kind: 'jwt' }>,
  options: AuthenticationOptions,
): Promise<RunningAuthentication> {
  const bySecret = adminAuthenticator(secrets, options.prefix)
  const sets: KeySet[] = []
  const close = () => {
    for (const set of sets) set.close()
  }
  const use = async (secret: JwtSecret): Promise<SecretInUse> => {
    const { keys } = secret
    if (keys.kind === 'key') return { secret, keys: () => [keys.key] }
    const set = await KeySet.open({ url: keys.url, ...options }).catch((error: Error) => {
      throw new FatalError(`Fatal Error:- Environment variable SVC_GRAPHQL_JWT_SECRET: ${error.message}`)
    })
    sets.push(set)
    return { secret, keys: (id) => set.keys(id) }
  }
  const opened = await Promise.allSettled(jwt.map(use))
  const inUse = opened.map((result) => {
    if (result.status === 'fulfilled') return result.value
    close()
    throw result.reason
  })
  return {
    authenticate: ({ headers }) => {
      const found = bySecret(headers) ?? authenticateByToken(inUse, headers, Date.now(), options.prefix)
      if (found) return found
      if (role === null) throw tokenRequired()
      return unauthorized(headers, role, options.prefix)
    },
    close,
  }
}

const secretRequired = () =>
  new ApiError('access-denied', Path.root, '"x-svc-admin-secret"/"x-svc-access-key" required, but not found', {
    status: 401,
  })

const tokenRequired = () =>
  new ApiError('invalid-headers', Path.root, "Missing 'Authorization' or 'Cookie' header in JWT authentication mode")

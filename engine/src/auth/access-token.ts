/** Access tokens (docs/access-tokens.md): `svct_`, what finds one, and its secret. */
import { hash, randomBytes } from 'node:crypto'
import { ApiError, Path } from '../errors.ts'
import type { Access } from '../session.ts'
import type { Authentication, AuthenticationRequest } from './authentication.ts'
import { headerText } from './session-variables.ts'

const form = /^svct_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/

/** What its holder may do; null of one that is unknown, expired or revoked. `hash`: SHA-256, in hexadecimal digits. */
export type FindAccess = (id: string, hash: string) => Promise<Access | null>

/** A new token: its value, which nothing keeps, and what is kept of it. */
export function newAccessToken(): { readonly value: string; readonly id: string; readonly hash: string } {
  const id = randomBytes(8).toString('hex')
  const value = `svct_${id}_${randomBytes(32).toString('base64url')}`
  return { value, id, hash: hash('sha256', value) }
}

/**
 * The session of a request that carries an access token and no admin secret, null of one that carries none: in
 * X-Svc-Access-Token, or as the bearer of Authorization. Throws access-denied: 401 for one that does not hold, 403 where
 * none counts, which is everywhere but where `takesAccessTokens` says otherwise.
 */
export function accessByToken(
  { headers, takesAccessTokens = false }: AuthenticationRequest,
  find: FindAccess,
): Promise<Authentication> | null {
  if (headerText(headers, 'x-svc-admin-secret') !== null || headerText(headers, 'x-svc-access-key') !== null)
    return null
  const given = headerText(headers, 'x-svc-access-token') ?? bearer(headerText(headers, 'authorization'))
  if (given === null) return null
  if (!takesAccessTokens)
    throw new ApiError('access-denied', Path.root, 'access tokens count for the metadata API alone', { status: 403 })
  return authenticate(given, find)
}

async function authenticate(given: string, find: FindAccess): Promise<Authentication> {
  const id = form.exec(given)?.[1]
  const access = id === undefined ? null : await find(id, hash('sha256', given))
  if (access === null)
    throw new ApiError('access-denied', Path.root, 'the access token is unknown, expired or revoked', { status: 401 })
  return {
    session: { role: accessTokenRole, variables: new Map(), backendOnly: false, access },
    cookies: [],
    expiresAt: null,
  }
}

/** What logs show; it is no role, and has no permissions. */
const accessTokenRole = 'access-token'

const bearer = (authorization: string | null): string | null =>
  /^bearer +(svct_.*)$/i.exec(authorization ?? '')?.[1] ?? null

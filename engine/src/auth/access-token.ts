/** Access tokens (docs/access-tokens.md): `svct_`, what finds one, and its secret. */
import { hash, randomBytes } from 'node:crypto'
import { ApiError, Path } from '../errors.ts'
import type { Observer } from '../observe/index.ts'
import type { Access } from '../session.ts'
import type { Authentication, AuthenticationRequest } from './authentication.ts'
import { headerText } from './session-variables.ts'

const form = /^svct_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/
/** Of one that its maker has chosen: the beginning of its hash finds it. */
const chosenForm = /^svct_[A-Za-z0-9_-]{40,200}$/

/** What the holder of a token may do. */
export interface FindAccess {
  /** Of one of ours; null: unknown, expired or revoked. `hash`: SHA-256, in hexadecimal digits. */
  token(id: string, hash: string): Promise<Access | null>
  /** Of an OIDC provider's, or why it is refused. */
  oidc(token: string): Promise<Access | string>
  readonly report: Observer['report']
}

/** Makes a token: its value, which is stored nowhere, and what is stored of it. */
export function newAccessToken(chosen?: string): {
  readonly value: string
  readonly id: string
  readonly hash: string
} {
  if (chosen !== undefined) return { value: chosen, id: idOf(chosen), hash: hash('sha256', chosen) }
  const id = randomBytes(8).toString('hex')
  const value = `svct_${id}_${randomBytes(32).toString('base64url')}`
  return { value, id, hash: hash('sha256', value) }
}

/**
 * Returns the session of a request with an access token and no admin secret, or null for one without a token: in
 * X-Svc-Access-Token, or one of ours as the bearer of Authorization, where JWTs are those of users. Throws
 * access-denied: 401 for one that is not valid, 403 where none is accepted, which is everywhere but where
 * `takesAccessTokens` says otherwise.
 */
export function accessByToken(
  { headers, requestId, takesAccessTokens = false }: AuthenticationRequest,
  find: FindAccess,
): Promise<Authentication> | null {
  if (headerText(headers, 'x-svc-admin-secret') !== null || headerText(headers, 'x-svc-access-key') !== null)
    return null
  const given = headerText(headers, 'x-svc-access-token') ?? bearer(headerText(headers, 'authorization'))
  if (given === null) return null
  if (!takesAccessTokens)
    throw new ApiError('access-denied', Path.root, 'access tokens count for the metadata API alone', { status: 403 })
  return authenticate(given, requestId, find)
}

async function authenticate(given: string, requestId: string, find: FindAccess): Promise<Authentication> {
  const access = await accessOf(given, find)
  if (typeof access === 'string') {
    find.report({ kind: 'access-token-refused', requestId, reason: access })
    // one answer for all refusals: a guesser learns neither names nor rules
    throw new ApiError('access-denied', Path.root, 'the access token is unknown, expired or revoked', { status: 401 })
  }
  return {
    session: { role: accessTokenRole, variables: new Map(), backendOnly: false, access },
    cookies: [],
    expiresAt: null,
  }
}

const idOf = (value: string): string => form.exec(value)?.[1] ?? hash('sha256', value).slice(0, 16)

async function accessOf(given: string, find: FindAccess): Promise<Access | string> {
  if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(given)) return find.oidc(given)
  if (!chosenForm.test(given)) return 'it is no access token'
  return (await find.token(idOf(given), hash('sha256', given))) ?? 'it is unknown, expired or revoked'
}

/** What logs show; it is no role, and has no permissions. */
const accessTokenRole = 'access-token'

const bearer = (authorization: string | null): string | null =>
  /^bearer +(svct_.*)$/i.exec(authorization ?? '')?.[1] ?? null

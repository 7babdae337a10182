import { ApiError, Path } from '../../errors.ts'
import type { Authentication } from '../authentication.ts'
import { type Headers, headerText } from '../session-variables.ts'
import { claimsFault, isIssuedBy } from './check-claims.ts'
import { type CompactToken, readCompactToken } from './compact-token.ts'
import type { JwtSecret, TokenPlace } from './jwt-secret.ts'
import { sessionOfClaims } from './session-of-claims.ts'
import { isSignedByAny, type VerificationKey } from './verification-key.ts'

/** A secret with the keys it has now. */
export interface SecretInUse {
  readonly secret: JwtSecret
  /** Those that may have signed a token that names this key. */
  keys(keyId: string | null): readonly VerificationKey[]
}

/**
 * The session of the token that a request carries; null when it carries none (reference/authentication#jwt). Throws
 * invalid-headers, invalid-jwt and what sessionOfClaims does. `now`: milliseconds since 1970.
 */
export function authenticateByToken(
  secrets: readonly SecretInUse[],
  headers: Headers,
  now: number,
  prefix?: string,
): Authentication | null {
  const found = placesOf(secrets).flatMap((place) => {
    const token = tokenAt(place, headers)
    return token === null ? [] : [{ place, token }]
  })
  const [first, second] = found
  if (!first) return null
  if (second) throw new ApiError('invalid-headers', Path.root, 'Could not verify JWT: Multiple JWTs found')
  const token = readCompactToken(first.token)
  if (typeof token === 'string') throw invalidToken(token)
  const candidates = secrets.filter(
    ({ secret }) => samePlace(secret.header, first.place) && isIssuedBy(token.claims, secret.issuer),
  )
  const secret = verifiedBy(candidates, token, now / 1000)
  const role = headerText(headers, 'x-svc-role')
  const { exp } = token.claims
  return {
    session: sessionOfClaims(token.claims, secret.claims, role, prefix),
    cookies: [],
    expiresAt: typeof exp === 'number' ? (exp + secret.allowedSkew) * 1000 : null,
  }
}

const placesOf = (secrets: readonly SecretInUse[]): readonly TokenPlace[] =>
  secrets
    .map(({ secret }) => secret.header)
    .filter((place, at, all) => all.findIndex((other) => samePlace(place, other)) === at)

/**
 * Returns the first secret that accepts the token. The error of a secret whose signature fits is preferred, since it
 * says more.
 */
function verifiedBy(candidates: readonly SecretInUse[], token: CompactToken, now: number): JwtSecret {
  const faults: string[] = []
  for (const { secret, keys } of candidates) {
    const fault = isSignedByAny(keys(token.keyId), token) ? claimsFault(token.claims, secret, now) : invalidSignature
    if (fault === null) return secret
    faults.push(fault)
  }
  throw invalidToken(faults.find((fault) => fault !== invalidSignature) ?? faults[0] ?? 'JWTNotInIssuer')
}

const invalidSignature = 'JWSError JWSInvalidSignature'

const invalidToken = (fault: string) => new ApiError('invalid-jwt', Path.root, `Could not verify JWT: ${fault}`)

/**
 * The token that a request carries at a place, or null. Throws invalid-headers for an Authorization that is not
 * `Bearer <token>` (reference/authentication#jwt).
 */
function tokenAt(place: TokenPlace, headers: Headers): string | null {
  switch (place.kind) {
    case 'authorization': {
      const text = headerText(headers, 'authorization')
      if (text === null) return null
      const [scheme = '', token, ...more] = text.split(/ +/).filter((word) => word !== '')
      if (scheme.toLowerCase() !== 'bearer' || token === undefined || more.length > 0)
        throw new ApiError('invalid-headers', Path.root, 'Malformed Authorization header')
      return token
    }
    case 'cookie':
      return cookieNamed(place.name, headers)
    case 'header':
      return headerText(headers, place.name)
  }
}

/** The first cookie of that name (RFC 6265 §5.4); empty counts as absent. */
function cookieNamed(name: string, { cookie }: Headers): string | null {
  const text = typeof cookie === 'string' ? cookie : (cookie ?? []).join('; ')
  for (const pair of text.split(';')) {
    const at = pair.indexOf('=')
    if (at < 0 || pair.slice(0, at).trim() !== name) continue
    const value = pair
      .slice(at + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1')
    return value === '' ? null : value
  }
  return null
}

const samePlace = (a: TokenPlace, b: TokenPlace): boolean =>
  a.kind === b.kind && ('name' in a ? a.name : '') === ('name' in b ? b.name : '')

/** What a secret demands of the registered claims (RFC 7519 §4.1). */
export interface ClaimRules {
  /** A token's `aud` must have one of them; a token without `aud` passes. */
  readonly audience: readonly string[] | null
  readonly issuer: string | null
  /** Seconds of leeway. */
  readonly allowedSkew: number
}

type Claims = Readonly<Record<string, unknown>>

/** Returns why claims are refused, in the words of reference/authentication#jwt, or null. `now`: seconds since 1970. */
export function claimsFault(claims: Claims, { audience, issuer, allowedSkew }: ClaimRules, now: number): string | null {
  const { exp, nbf, iat, aud, iss } = claims
  for (const [name, value] of [['exp', exp] as const, ['nbf', nbf] as const, ['iat', iat] as const])
    if (isGiven(value) && typeof value !== 'number') return `JWTClaimsSetDecodeError "${name} is no number"`
  if (typeof exp === 'number' && now >= exp + allowedSkew) return 'JWTExpired'
  if (typeof nbf === 'number' && now < nbf - allowedSkew) return 'JWTNotYetValid'
  if (typeof iat === 'number' && now < iat - allowedSkew) return 'JWTIssuedAtFuture'
  if (isGiven(aud)) {
    const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
    if (!audiences.every((one) => typeof one === 'string')) return 'JWTClaimsSetDecodeError "aud is no string"'
    if (audience && !audiences.some((one) => audience.includes(one))) return 'JWTNotInAudience'
  }
  return isIssuedBy(claims, issuer)
    ? null
    : typeof iss === 'string'
      ? 'JWTNotInIssuer'
      : 'JWTClaimsSetDecodeError "iss is no string"'
}

/** Either side may say nothing. */
export const isIssuedBy = ({ iss }: Claims, issuer: string | null): boolean =>
  issuer === null || !isGiven(iss) || iss === issuer

const isGiven = (value: unknown) => value !== undefined && value !== null

/** Tokens that an OIDC provider issues to a run of CI, say (docs/access-tokens.md#oidc). */
import { hash } from 'node:crypto'
import type { OidcTrust, OidcTrusts } from '../../metadata/index.ts'
import type { Access } from '../../session.ts'
import { claimsFault } from '../jwt/check-claims.ts'
import { type CompactToken, readCompactToken } from '../jwt/compact-token.ts'
import { isSignedByAny } from '../jwt/verification-key.ts'
import type { IssuerKeys } from './issuer-keys.ts'

/** Longer ones are no tokens of CI. */
const longestToken = 8_192
/** Of clocks, in seconds. */
const allowedSkew = 10
/** Seconds that a token may still count for. */
const longestLife = 86_400

/** Returns what the bearer of a token may do, or why it is refused, for the log: all refusals have one answer. */
export async function accessByOidc(
  text: string,
  trusts: Pick<OidcTrusts, 'of' | 'use'>,
  keys: Pick<IssuerKeys, 'keys'>,
  now: number,
): Promise<Access | string> {
  const token = text.length > longestToken ? 'it is too long' : readCompactToken(text)
  if (typeof token === 'string') return token
  const { claims, keyId } = token
  const { iss, jti } = claims
  // an issuer that no one trusts is never called
  const ofIssuer = typeof iss === 'string' && !iss.includes('\0') ? await trusts.of(iss) : []
  if (typeof iss !== 'string' || ofIssuer.length === 0) return 'its issuer is not trusted'
  if (!isSignedByAny(await keys.keys(iss, keyId), token)) return 'its signature is not of a key of the issuer'
  const expiresAt = expiryOf(token, now)
  if (typeof expiresAt === 'string') return expiresAt
  const fitting = ofIssuer.filter((trust) => matchesTrust(claims, trust))
  if (fitting.length === 0) return 'no trust in its issuer fits its audience and claims'
  if (fitting.some(({ singleUse }) => singleUse)) {
    if (typeof jti !== 'string' || jti === '') return 'it counts once, and has no jti'
    if (!(await trusts.use(hash('sha256', JSON.stringify([iss, jti])), expiresAt))) return 'it was used before'
  }
  const name = fitting.map((trust) => trust.name).join(', ')
  return { name, scopes: fitting.flatMap(({ scopes }) => scopes), actor: actorOf(name, claims) }
}

/** Seconds since 1970, or why it does not count now. */
function expiryOf({ claims }: CompactToken, now: number): number | string {
  const fault = claimsFault(claims, { audience: null, issuer: null, allowedSkew }, now)
  if (fault !== null) return fault
  const { exp } = claims
  if (typeof exp !== 'number') return 'it has no exp'
  return exp - now > longestLife ? 'it counts for more than a day' : exp
}

/** Claims that say which run it is: GitHub's, GitLab's, Terraform Cloud's. */
const ofRun = ['repository', 'run_id', 'project_path', 'pipeline_id', 'job_id', 'terraform_run_id']

/** The actor: the subject that the issuer vouches for, with repository and run. */
function actorOf(name: string, claims: CompactToken['claims']): string {
  const shown = (value: unknown) =>
    String(value)
      .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
      .slice(0, 200)
  const run = ofRun.flatMap((key) => {
    const value = claims[key]
    return typeof value === 'string' || typeof value === 'number' ? [`${key} ${shown(value)}`] : []
  })
  const subject = typeof claims.sub === 'string' ? ` ${shown(claims.sub)}` : ''
  return `oidc ${name}${subject}${run.length > 0 ? ` (${run.join(', ')})` : ''}`
}

type Claims = Readonly<Record<string, unknown>>

/** Whether a token with these claims is meant by a trust: for one of its audiences, and each claim fits. */
function matchesTrust(claims: Claims, trust: OidcTrust): boolean {
  const audiences = textsOf(claims.aud)
  return (
    trust.audiences.some((audience) => audiences.includes(audience)) &&
    Object.entries(trust.claims).every(([name, patterns]) => {
      const values = Object.hasOwn(claims, name) ? textsOf(claims[name]) : []
      return values.some((value) => [patterns].flat().some((pattern) => fits(pattern, value)))
    })
  )
}

/** A claim as texts; what is no text, number or boolean, or a list of them, fits nothing. */
function textsOf(claim: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim]
  return values.flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [],
  )
}

/** `*` stands for any characters, none included. One pass: a pattern of many stars must cost no more. */
function fits(pattern: string, value: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return value === first
  if (value.length < first.length + last.length || !value.startsWith(first) || !value.endsWith(last)) return false
  let at = first.length
  const end = value.length - last.length
  for (const part of rest) {
    const found = value.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

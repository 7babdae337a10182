import { ownPrefix } from '../../session.ts'
import type { ClaimRules } from './check-claims.ts'
import type { JsonPath } from './json-path.ts'
import type { VerificationKey } from './verification-key.ts'

/** One JWT configuration, read (reference/authentication#jwt). */
export interface JwtSecret extends ClaimRules {
  readonly keys:
    | { readonly kind: 'key'; readonly key: VerificationKey }
    | { readonly kind: 'url'; readonly url: string }
  readonly claims: ClaimsPlace
  readonly header: TokenPlace
}

/** Where a request carries the token. */
export type TokenPlace =
  | { readonly kind: 'authorization' }
  | { readonly kind: 'cookie'; readonly name: string }
  /** Lower case; the value is the token. */
  | { readonly kind: 'header'; readonly name: string }

/** Where a token carries the session's claims. */
export type ClaimsPlace =
  /** `other`: where tokens that lack `name` may have them. */
  | { readonly kind: 'namespace'; readonly name: string; readonly other?: string; readonly format: ClaimsFormat }
  | { readonly kind: 'path'; readonly text: string; readonly path: JsonPath; readonly format: ClaimsFormat }
  | {
      readonly kind: 'map'
      readonly allowedRoles: Mapped<readonly string[]>
      readonly defaultRole: Mapped<string>
      /** The other variables by lower-case name. */
      readonly others: ReadonlyMap<string, Mapped<string>>
      /** As it was configured. */
      readonly configured: Readonly<Record<string, unknown>>
    }

type ClaimsFormat = 'json' | 'stringified_json'

export type Mapped<T> =
  | { readonly kind: 'literal'; readonly value: T }
  | { readonly kind: 'path'; readonly path: JsonPath; readonly fallback: T | null }

export const defaultNamespace = 'https://svc.io/jwt/claims'

/** Where tokens made for another prefix of session variables have their claims: https://hasura.io/jwt/claims of x-hasura-. */
export const namespaceOfPrefix = (prefix: string): string | null =>
  prefix === ownPrefix ? null : `https://${prefix.slice('x-'.length, -1)}.io/jwt/claims`

/** Names of the claims that say which roles a token may have. */
export const allowedRolesClaim = (prefix: string = ownPrefix): string => `${prefix}allowed-roles`
export const defaultRoleClaim = (prefix: string = ownPrefix): string => `${prefix}default-role`

/** As /v1alpha1/config shows it (reference/http#config). */
export function shownJwtSecret({ claims }: JwtSecret): Readonly<Record<string, unknown>> {
  switch (claims.kind) {
    case 'namespace':
      return { claims_namespace: claims.name, claims_format: claims.format, claims_map: null }
    case 'path':
      return { claims_namespace: claims.text, claims_format: claims.format, claims_map: null }
    case 'map':
      return { claims_namespace: defaultNamespace, claims_format: 'json', claims_map: claims.configured }
  }
}

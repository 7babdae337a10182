import type { AccessScope, Json, JsonObject, OidcTrustArgs } from '@svc/schema'
import { type CatalogueConnection, once, repeatable, shownTime } from './connection.ts'

/** A trust as tokens are compared with it. */
export interface OidcTrust {
  readonly name: string
  readonly audiences: readonly string[]
  readonly claims: Readonly<Record<string, string | readonly string[]>>
  readonly scopes: readonly AccessScope[]
  readonly singleUse: boolean
}

/** The trusts of the catalogue: each use of a token reads them, so that every instance refuses what was dropped at once. */
export interface OidcTrusts {
  /** False where there is one of the name. */
  create(trust: OidcTrustArgs, createdBy: string): Promise<boolean>
  /** Another one in the place of the one of its name; false where there is none. */
  update(trust: OidcTrustArgs): Promise<boolean>
  /** False where there is none. */
  drop(name: string): Promise<boolean>
  list(): Promise<readonly JsonObject[]>
  /** Those of an issuer. */
  of(issuer: string): Promise<readonly OidcTrust[]>
  /**
   * Records that a single-use token was used; returns false where it was used before. `expiresAt`: seconds since 1970.
   */
  use(hash: string, expiresAt: number): Promise<boolean>
}

const createStatement = once('svc_create_oidc_trust')`
    INSERT INTO svc_catalog.oidc_trusts (name, issuer, audiences, claims, scopes, single_use, created_by)
    VALUES ($1::text, $2::text, $3::text::jsonb, $4::text::jsonb, $5::text::jsonb, $6::text::boolean, $7::text)
    ON CONFLICT (name) DO NOTHING RETURNING name`

const updateStatement = once('svc_update_oidc_trust')`
    UPDATE svc_catalog.oidc_trusts
    SET issuer = $2::text, audiences = $3::text::jsonb, claims = $4::text::jsonb, scopes = $5::text::jsonb, single_use = $6::text::boolean
    WHERE name = $1::text RETURNING name`

const dropStatement = once('svc_drop_oidc_trust')`
   DELETE FROM svc_catalog.oidc_trusts WHERE name = $1::text RETURNING name`

const listStatement = repeatable('svc_list_oidc_trusts')`
    SELECT name, issuer, audiences::text, claims::text, scopes::text, single_use::text, created_by,
      ${shownTime('created_at')}
    FROM svc_catalog.oidc_trusts ORDER BY name`

const ofIssuerStatement = repeatable('svc_oidc_trusts_of_issuer')`
    SELECT name, audiences::text, claims::text, scopes::text, single_use::text
    FROM svc_catalog.oidc_trusts WHERE issuer = $1::text ORDER BY name`

const useStatement = once('svc_use_oidc_token')`
    WITH gone AS (
      DELETE FROM svc_catalog.oidc_used_tokens WHERE expires_at < now() - interval '1 minute' AND hash <> decode($1::text, 'hex')
    )
    INSERT INTO svc_catalog.oidc_used_tokens (hash, expires_at)
    VALUES (decode($1::text, 'hex'), to_timestamp($2::double precision))
    ON CONFLICT (hash) DO NOTHING RETURNING expires_at::text`

const valuesOf = ({ name, issuer, audiences, claims, scopes, single_use: singleUse = false }: OidcTrustArgs) => [
  name,
  issuer,
  JSON.stringify(audiences),
  JSON.stringify(claims),
  JSON.stringify(scopes),
  String(singleUse),
]

const parsed = (text: string | null | undefined): Json => JSON.parse(text ?? 'null') as Json

export function oidcTrusts({ run }: Pick<CatalogueConnection, 'run'>): OidcTrusts {
  return {
    create: async (trust, createdBy) => (await run(createStatement, [...valuesOf(trust), createdBy])).length > 0,
    update: async (trust) => (await run(updateStatement, valuesOf(trust))).length > 0,
    drop: async (name) => (await run(dropStatement, [name])).length > 0,
    list: async () =>
      (await run(listStatement)).map(([name, issuer, audiences, claims, scopes, singleUse, createdBy, createdAt]) => ({
        name: name ?? '',
        issuer: issuer ?? '',
        audiences: parsed(audiences),
        claims: parsed(claims),
        scopes: parsed(scopes),
        single_use: singleUse === 'true',
        created_by: createdBy ?? null,
        created_at: createdAt ?? null,
      })),
    of: async (issuer) =>
      (await run(ofIssuerStatement, [issuer])).map(([name, audiences, claims, scopes, singleUse]) => ({
        name: name ?? '',
        audiences: parsed(audiences) as OidcTrust['audiences'],
        claims: parsed(claims) as OidcTrust['claims'],
        scopes: parsed(scopes) as unknown as OidcTrust['scopes'],
        singleUse: singleUse === 'true',
      })),
    use: async (hash, expiresAt) => (await run(useStatement, [hash, expiresAt])).length > 0,
  }
}

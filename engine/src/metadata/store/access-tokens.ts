import type { AccessScope, Json, JsonObject } from '@svc/schema'
import type { Access } from '../../session.ts'
import {
  type CatalogueConnection,
  type CatalogueStatement,
  once,
  repeatable,
  type StatementValue,
  shownTime,
} from './connection.ts'

/** A token before it is stored: never its value. */
interface NewAccessToken {
  readonly id: string
  readonly name: string
  /** SHA-256 of the value, in hexadecimal digits. */
  readonly hash: string
  /** Seconds, or a timestamp; null: it does not expire. */
  readonly expires: number | string | null
  /** The actor that created it, for people. */
  readonly createdBy: string
}

interface ChangedAccessToken {
  /** Null: it is unchanged. */
  readonly value: Pick<NewAccessToken, 'id' | 'hash'> | null
  /** A timestamp, or `never`. Null: it is unchanged. */
  readonly expiresAt: string | null
}

/** The access tokens of the catalogue: each use reads it, so that a revoked one is refused by every instance at once. */
export interface AccessTokens {
  /** When it expires (null: never), in a list; null where there is one of the name. */
  create(token: NewAccessToken, scopes: readonly AccessScope[]): Promise<readonly [string | null] | null>
  /**
   * Makes a new value with the same scopes, valid as long as the former one unless it says otherwise; the former one is
   * valid for `overlap` seconds more. Null where there is none.
   */
  rotate(token: NewAccessToken, overlap: number): Promise<readonly [string | null] | null>
  /** Other scopes, value and expiry for a name, which may have expired; false where there is none. */
  update(name: string, scopes: readonly AccessScope[], changed: ChangedAccessToken): Promise<boolean>
  /** False where there is none. */
  revoke(name: string): Promise<boolean>
  /** Without former values that have expired. */
  list(): Promise<readonly JsonObject[]>
  /** Null: unknown, expired or revoked. */
  find(id: string, hash: string): Promise<Access | null>
}

/** $3 the seconds until it expires, or when it does. */
const expiry = `CASE WHEN $3::text ~ '^[0-9]+$' THEN now() + $3::text::double precision * interval '1 second' ELSE $3::text::timestamptz END`

const createStatement = once('svc_create_access_token')`
    WITH gone AS (
      DELETE FROM svc_catalog.access_tokens WHERE name = $2::text AND expires_at <= now() RETURNING id
    )
    INSERT INTO svc_catalog.access_tokens (id, name, expires_at, hash, created_by, scopes)
    SELECT $1::text, $2::text, ${expiry}, decode($4::text, 'hex'), $5::text, $6::text::jsonb FROM (SELECT count(*) FROM gone) AS first
    ON CONFLICT (name) WHERE NOT superseded DO NOTHING
    RETURNING ${shownTime('expires_at')}`

const rotateStatement = once('svc_rotate_access_token')`
    WITH former AS (
      SELECT expires_at - created_at AS span FROM svc_catalog.access_tokens WHERE name = $2::text AND NOT superseded
    ), gone AS (
      DELETE FROM svc_catalog.access_tokens WHERE name = $2::text AND superseded
    ), before AS (
      UPDATE svc_catalog.access_tokens
      SET superseded = true, expires_at = least(expires_at, now() + $6::double precision * interval '1 second')
      WHERE name = $2::text AND NOT superseded
      RETURNING scopes
    )
    INSERT INTO svc_catalog.access_tokens (id, name, expires_at, hash, created_by, scopes)
    SELECT $1::text, $2::text, coalesce(${expiry}, now() + (SELECT span FROM former)), decode($4::text, 'hex'), $5::text, scopes
    FROM before
    RETURNING ${shownTime('expires_at')}`

/** What was superseded has the scopes too: it is the same credential. */
const updateStatement = once('svc_update_access_token')`
    UPDATE svc_catalog.access_tokens
    SET scopes = $2::text::jsonb,
      id = CASE WHEN superseded THEN id ELSE coalesce($3::text, id) END,
      hash = CASE WHEN superseded THEN hash ELSE coalesce(decode($4::text, 'hex'), hash) END,
      expires_at = CASE WHEN superseded OR $5::text IS NULL THEN expires_at ELSE nullif($5::text, 'never')::timestamptz END
    WHERE name = $1::text AND (NOT superseded OR expires_at > now()) RETURNING id`

const revokeStatement = once('svc_revoke_access_token')`
   DELETE FROM svc_catalog.access_tokens WHERE name = $1::text RETURNING id`

const listStatement = repeatable('svc_list_access_tokens')`
    SELECT name, id, scopes::text, created_by, ${shownTime('created_at')}, ${shownTime('expires_at')}, ${shownTime('last_used_at')}, superseded::text,
      coalesce(expires_at <= now(), false)::text
    FROM svc_catalog.access_tokens
    WHERE NOT superseded OR expires_at > now()
    ORDER BY name, superseded, created_at`

/** When it was used last is known to the minute. */
const findStatement = repeatable('svc_find_access_token')`
    WITH found AS (
      SELECT id, name, scopes, expires_at, last_used_at FROM svc_catalog.access_tokens
      WHERE id = $1::text AND hash = decode($2::text, 'hex') AND (expires_at IS NULL OR expires_at > now())
    ), used AS (
      UPDATE svc_catalog.access_tokens t SET last_used_at = now()
      FROM found WHERE t.id = found.id AND (found.last_used_at IS NULL OR found.last_used_at < now() - interval '1 minute')
    )
    SELECT name, scopes::text, ${shownTime('expires_at')} FROM found`

const valuesOf = ({ id, name, expires, hash, createdBy }: NewAccessToken): readonly StatementValue[] => [
  id,
  name,
  expires === null ? null : String(expires),
  hash,
  createdBy,
]

export function accessTokens({ run }: Pick<CatalogueConnection, 'run'>): AccessTokens {
  const expiryOf = async (statement: CatalogueStatement, values: readonly StatementValue[]) => {
    const [row] = await run(statement, values)
    return row ? ([row[0] ?? null] as const) : null
  }
  return {
    create: (token, scopes) => expiryOf(createStatement, [...valuesOf(token), JSON.stringify(scopes)]),
    rotate: (token, overlap) => expiryOf(rotateStatement, [...valuesOf(token), overlap]),
    update: async (name, scopes, { value, expiresAt }) => {
      const { id = null, hash = null } = value ?? {}
      return (await run(updateStatement, [name, JSON.stringify(scopes), id, hash, expiresAt])).length > 0
    },
    revoke: async (name) => (await run(revokeStatement, [name])).length > 0,
    list: async () =>
      (await run(listStatement)).map(
        ([name, id, scopes, createdBy, createdAt, expiresAt, usedAt, superseded, expired]) => ({
          name: name ?? '',
          id: id ?? '',
          scopes: JSON.parse(scopes ?? '[]') as Json,
          created_by: createdBy ?? null,
          created_at: createdAt ?? null,
          expires_at: expiresAt ?? null,
          last_used_at: usedAt ?? null,
          superseded: superseded === 'true',
          expired: expired === 'true',
        }),
      ),
    async find(id, hash) {
      const [row] = await run(findStatement, [id, hash])
      if (!row) return null
      const [name, scopes, expiresAt] = row
      return {
        name: name ?? '',
        scopes: JSON.parse(scopes ?? '[]') as readonly AccessScope[],
        actor: `token ${name}`,
        ...(typeof expiresAt === 'string' && { expiresAt }),
      }
    },
  }
}

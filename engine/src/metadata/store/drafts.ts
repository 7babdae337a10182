import type { JsonObject } from '@svc/schema'
import { parseExactly } from '../../exact-json/index.ts'
import { type CatalogueConnection, type CatalogueStatement, once, repeatable, shownTime } from './connection.ts'
import type { ObjectValue } from './with-values.ts'

/** A draft before it is stored: never its key. */
interface NewDraft {
  /** SHA-256 of the key that addresses it, in hexadecimal digits. */
  readonly id: string
  readonly hash: string
  /** The version that `changes` were made from. */
  readonly resourceVersion: number
  /** JSON of what would differ. */
  readonly changes: string
  readonly allowsInconsistent: boolean
  /** Whether rows are answered through it. */
  readonly isOpen: boolean
  /** The access token that made it; null: the admin secret did. */
  readonly token: string | null
  /** The actor that created it, for people. */
  readonly createdBy: string
  /** Seconds. */
  readonly expiresIn: number
}

/** The changes of a draft: addresses of objects with what they become. */
export const draftedValues = (changes: string): readonly ObjectValue[] =>
  parseExactly(changes) as readonly ObjectValue[]

export type StoredDraft = Pick<NewDraft, 'id' | 'hash' | 'resourceVersion' | 'allowsInconsistent' | 'isOpen'>

/** The drafts of the catalogue (docs/drafts.md): every instance knows them, and each use reads them. */
export interface Drafts {
  /** When it expires. The oldest of the same maker beyond `draftsOfMaker` are removed. */
  create(draft: NewDraft): Promise<string>
  /** Null: unknown or expired. */
  find(id: string): Promise<StoredDraft | null>
  /** The newest of a hash. */
  ofHash(hash: string): Promise<StoredDraft | null>
  /** JSON of what would differ; null where it is gone. */
  changes(id: string): Promise<string | null>
  /** Allows it to answer rows. Returns false where there is no such draft. */
  open(hash: string): Promise<boolean>
  drop(hash: string): Promise<boolean>
  list(): Promise<readonly JsonObject[]>
}

/** Drafts that an access token, or the admin secret, may have at a time. */
const draftsOfMaker = 32

const createStatement = once('svc_create_draft')`
    WITH gone AS (
      DELETE FROM svc_catalog.drafts WHERE expires_at <= now() OR id IN (
        SELECT id FROM svc_catalog.drafts WHERE token IS NOT DISTINCT FROM $7::text
        ORDER BY created_at DESC, id OFFSET ${draftsOfMaker - 1}
      )
    )
    INSERT INTO svc_catalog.drafts
      (id, hash, resource_version, changes, allows_inconsistent, open, token, created_by, expires_at)
    VALUES ($1::text, $2::text, $3::bigint, $4::text, $5::boolean, $6::boolean, $7::text, $8::text,
      now() + $9::double precision * interval '1 second')
    RETURNING ${shownTime('expires_at')}`

const columns = 'id, hash, resource_version::text, allows_inconsistent::text, open::text'

const findStatement = repeatable('svc_find_draft')`
   SELECT ${columns} FROM svc_catalog.drafts WHERE id = $1::text AND expires_at > now()`

const ofHashStatement = repeatable('svc_draft_of_hash')`
    SELECT ${columns} FROM svc_catalog.drafts WHERE hash = $1::text AND expires_at > now()
    ORDER BY created_at DESC LIMIT 1`

const changesStatement = repeatable('svc_draft_changes')`SELECT changes FROM svc_catalog.drafts WHERE id = $1::text`

const openStatement = once('svc_open_draft')`
   UPDATE svc_catalog.drafts SET open = true WHERE hash = $1::text AND expires_at > now() RETURNING id`

const dropStatement = once('svc_drop_draft')`DELETE FROM svc_catalog.drafts WHERE hash = $1::text RETURNING id`

const listStatement = repeatable('svc_list_drafts')`
    SELECT hash, resource_version::text, open::text, token, created_by, ${shownTime('created_at')}, ${shownTime('expires_at')}
    FROM svc_catalog.drafts WHERE expires_at > now() ORDER BY created_at, id`

export function drafts({ run }: Pick<CatalogueConnection, 'run'>): Drafts {
  const one = async (statement: CatalogueStatement, key: string): Promise<StoredDraft | null> => {
    const [row] = await run(statement, [key])
    if (!row) return null
    const [id, hash, version, allowsInconsistent, isOpen] = row
    return {
      id: id ?? '',
      hash: hash ?? '',
      resourceVersion: Number(version),
      allowsInconsistent: allowsInconsistent === 'true',
      isOpen: isOpen === 'true',
    }
  }
  return {
    async create({ id, hash, resourceVersion, changes, allowsInconsistent, isOpen, token, createdBy, expiresIn }) {
      const of = [id, hash, resourceVersion, changes, String(allowsInconsistent), String(isOpen), token, createdBy]
      const [row] = await run(createStatement, [...of, expiresIn])
      return row?.[0] ?? ''
    },
    find: (id) => one(findStatement, id),
    ofHash: (hash) => one(ofHashStatement, hash),
    changes: async (id) => (await run(changesStatement, [id]))[0]?.[0] ?? null,
    open: async (hash) => (await run(openStatement, [hash])).length > 0,
    drop: async (hash) => (await run(dropStatement, [hash])).length > 0,
    list: async () =>
      (await run(listStatement)).map(([hash, version, isOpen, token, createdBy, createdAt, expiresAt]) => ({
        hash: hash ?? '',
        resource_version: Number(version),
        open: isOpen === 'true',
        access_token: token ?? null,
        created_by: createdBy ?? null,
        created_at: createdAt ?? null,
        expires_at: expiresAt ?? null,
      })),
  }
}

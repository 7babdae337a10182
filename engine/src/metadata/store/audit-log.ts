import type { Json, JsonObject } from '@svc/schema'
import { type CatalogueConnection, once, repeatable } from './connection.ts'

/** What is known of a request once it has run. */
export interface AuditRemarks {
  /** Owners of what it changed and does not own (docs/ownership.md). */
  readonly overruled?: readonly { readonly owner: string; readonly objects: number }[]
  /** Why it did so although that is protected. */
  readonly break_glass?: string
  readonly failed?: readonly FailedMember[]
  /** Members of a bulk that failed which had run, and whose effects stay: SQL, rows, tokens, events. */
  readonly ran_operations?: number
}

/** A member of a bulk that went on after it had failed. */
export interface FailedMember {
  /** Its index, those of the bulks around it first. */
  readonly place: readonly number[]
  /** Of its error. */
  readonly code: string
}

/** One request that changed something or was refused: who, what, from where, and what became of it. No arguments but names. */
export interface AuditEntry extends Omit<AuditRemarks, 'failed'> {
  readonly request_id: string
  /** The actor, as the change log has it; null: unknown. */
  readonly actor: string | null
  /** What proves it: the admin secret, an access token or an OIDC token, or a session of the authentication mode. */
  readonly credential: 'admin' | 'token' | 'session' | null
  readonly role: string | null
  /** Of the client, as proxies say. */
  readonly address: string
  readonly user_agent: string | null
  readonly endpoint: string
  readonly operations: readonly AuditedOperation[]
  /** Of all operations, of which `operations` are the first. */
  readonly operation_count: number
  readonly dry_run: boolean
  readonly outcome: 'done' | 'partially-failed' | 'refused' | 'failed'
  /** Members of a bulk that went on after they had failed, those among them whose operations are left out. */
  readonly failed_operations?: number
  readonly status: number
  /** Of the error; its message may quote what was sent. */
  readonly code: string | null
  readonly resource_version: number | null
}

/** The entry of a request that may change metadata: it is stored with the version that the request makes. */
export interface AuditRecord {
  /** Of the request as it is once that version is stored. */
  entryOf(resourceVersion: number): AuditEntry
  /** Replaces what was noted by an earlier try. */
  note(remarks: AuditRemarks): void
  /** Called once its entry is stored: no one adds it then. */
  stored(): void
}

/** An entry as the catalogue has it. */
export interface AuditRow {
  readonly isKnown: boolean
  /** JSON that PostgreSQL accepts. */
  readonly entry: string
}

interface AuditedOperation {
  readonly type: string
  /** Names in its arguments that say what it is about. */
  readonly object: Readonly<Record<string, string>>
  /** Of the error that it failed with, where its bulk went on. */
  readonly code?: string
}

/**
 * How many entries are stored: the newest, within a limit; refusals of unknown actors have a tenth of it of their own.
 */
export interface AuditLog {
  /** Rejects where the catalogue is down. */
  add(entry: AuditEntry): Promise<void>
  /** For a caller that stores it together with something else, and calls `wrote` then; null: none is stored. */
  rowOf(entry: AuditEntry): AuditRow | null
  /** Never rejects. */
  wrote(row: AuditRow): Promise<void>
  /** The newest first, before an id. */
  read(page: { readonly before: number | null; readonly limit: number }): Promise<readonly JsonObject[]>
}

/** Values of a row in the order of `insertAudited`. */
export const auditColumns = ({ isKnown, entry }: AuditRow): readonly [string, string] => [String(isKnown), entry]

const addStatement = once('svc_add_audit_entry')`${insertAudited('VALUES ($1::text::boolean, $2::text::json)')}`

const pruneStatement = once('svc_prune_audit_log')`
    DELETE FROM svc_catalog.audit_log WHERE is_known = $1::text::boolean AND id <= (
      SELECT id FROM svc_catalog.audit_log WHERE is_known = $1::text::boolean ORDER BY id DESC OFFSET $2::bigint LIMIT 1
    )`

const readStatement = repeatable('svc_read_audit_log')`
    SELECT l.id::text, to_char(l.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), l.entry::text
    FROM svc_catalog.audit_log l WHERE $1::bigint IS NULL OR l.id < $1::bigint ORDER BY l.id DESC LIMIT $2::bigint`

/** `bound`: how many rows are stored; 0: none. */
export function auditLog({ run }: Pick<CatalogueConnection, 'run'>, bound: number): AuditLog {
  const written = new Map([
    [true, 0],
    [false, 0],
  ])
  const rowOf = (entry: AuditEntry): AuditRow | null =>
    bound === 0 ? null : { isKnown: entry.credential !== null, entry: storableJson(entry) }
  const wrote = async ({ isKnown }: AuditRow): Promise<void> => {
    const most = isKnown ? bound : Math.ceil(bound / 10)
    const count = (written.get(isKnown) ?? 0) + 1
    const isDue = count >= Math.max(1, Math.floor(most / 100))
    written.set(isKnown, isDue ? 0 : count)
    // a log that is too long harms no one; the next time will do
    if (isDue) await run(pruneStatement, [String(isKnown), most]).catch(() => {})
  }
  return {
    rowOf,
    wrote,
    async add(entry) {
      const row = rowOf(entry)
      if (row === null) return
      await run(addStatement, auditColumns(row))
      await wrote(row)
    },
    read: async ({ before, limit }) =>
      (await run(readStatement, [before, limit])).map(([id, at, entry]) => ({
        id: Number(id),
        at: at ?? '',
        ...(JSON.parse(entry ?? '{}') as Readonly<Record<string, Json>>),
      })),
  }
}

/** `rows`: a select or values with two columns: whether the author is known, and the entry. */
export function insertAudited(rows: string): string {
  return `INSERT INTO svc_catalog.audit_log (is_known, entry) ${rows}`
}

/** Searched for first: leaving out what can hardly be there costs three times what the JSON does. */
function storableJson(entry: AuditEntry): string {
  const text = JSON.stringify(entry)
  return /\\u(?:0000|d[89a-f])/.test(text) ? JSON.stringify(entry, storable) : text
}

/** PostgreSQL keeps neither NUL nor half a surrogate pair. */
const storable = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value

import type { Headers } from '../auth/index.ts'
import type { TraceOf, Validation } from '../execute/index.ts'
import type { AuditRecord } from '../metadata/index.ts'
import type { Session } from '../session.ts'

export type AdminEndpoint = '/v1/metadata' | '/v1/query' | '/v2/query'

/** What identifies a change's author in addition to the session (`by` in get_metadata_changes). */
export interface RequestFacts {
  readonly requestId: string
  /** X-Svc-Actor. */
  readonly actor: string | null
  /** X-Svc-Owner: the stack or directory whose declarations it writes (docs/ownership.md). */
  readonly owner?: string | null
  /** X-Svc-Break-Glass: why it changes what other clients own. */
  readonly breakGlass?: string | null
  readonly userAgent: string | null
  /** What changes of rows are part of, for event triggers. */
  readonly trace?: TraceOf
  readonly headers?: Headers
  /** What the audit log has of the request, stored with what it changes. */
  readonly audit?: AuditRecord
  /** Aborted when the client has left: reads and writes of rows end, and what is not stored by then is never stored. */
  readonly gone?: AbortSignal
  /** Calls the webhooks of `validate_input`. */
  readonly validate?: (validation: Validation, session: Session) => Promise<void>
}

export interface AdminAnswer {
  readonly status: number
  /** JSON. */
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  /** The request was to change metadata or to read the databases again. */
  readonly modified: boolean
  /** It may have changed something, in metadata or next to it. */
  readonly changes?: { readonly resourceVersion: number } | undefined
}

/** Objects of one owner that a request by another client changes. */
export interface Overruled {
  readonly owner: string
  readonly objects: number
}

import type { TraceOf } from '../execute/index.ts'

export type AdminEndpoint = '/v1/metadata' | '/v1/query' | '/v2/query'

/** What identifies a change's author beside the session (`by` in get_metadata_changes). */
export interface RequestFacts {
  readonly requestId: string
  /** X-Svc-Actor. */
  readonly actor: string | null
  readonly userAgent: string | null
  /** What changes of rows are part of, for those who are notified of them. */
  readonly trace?: TraceOf
}

export interface AdminAnswer {
  readonly status: number
  /** JSON. */
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  /** It was asked to change metadata or to read the databases again. */
  readonly modified: boolean
}

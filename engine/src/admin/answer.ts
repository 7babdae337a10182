import type { MetadataDocument } from '@svc/schema'
import type { Model } from '../model/index.ts'

export type AdminEndpoint = '/v1/metadata' | '/v1/query' | '/v2/query'

/** What a change's author is told by (`by` in get_metadata_changes). */
export interface RequestFacts {
  readonly requestId: string
  /** X-Svc-Actor. */
  readonly actor: string | null
  readonly userAgent: string | null
}

export interface AdminAnswer {
  readonly status: number
  /** JSON. */
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** What is served at a moment; replaced by one assignment. */
export interface ServedState {
  readonly document: MetadataDocument
  readonly resourceVersion: number
  readonly model: Model
}

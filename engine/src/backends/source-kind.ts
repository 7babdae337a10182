import type { JsonObject, NameRules, Schema } from '@svc/schema'

/**
 * A kind of source as metadata names it, and how the operations on such sources are called
 * (reference/metadata-requests#body).
 */
export interface SourceKind {
  /** As documents have it: `postgres`. */
  readonly kind: string
  /** Of operation names: `pg` in `pg_track_table`. The first is the one that logs and answers use. */
  readonly prefixes: readonly string[]
  /** What the names of tables and functions mean. */
  readonly names: NameRules
  readonly configuration: Schema<JsonObject>
  /** Whether sources of this kind have an operation (its name without prefix). */
  has(operation: string): boolean
}

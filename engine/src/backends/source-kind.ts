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
  /** Whether their databases check native queries before these are stored. */
  readonly checksQueries?: true
  /** What is answered where a document, or an operation that is known and refused, names what they cannot have. */
  readonly unsupported?: Unsupported
}

export interface Unsupported {
  readonly enums?: string
  readonly functions?: string
  readonly computedFields?: string
  readonly eventTriggers?: string
  /** get_table_info */
  readonly tableInfo?: string
  /** Another naming convention than the default one. */
  readonly namingConvention?: string
}

/** What all kinds but the first say. */
export const otherNamingConvention =
  'sources other than postgres do not support graphql-default as naming convention yet'

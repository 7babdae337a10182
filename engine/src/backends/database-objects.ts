/** What a database describes of itself: tables, functions, enum tables, native queries. Plain data. */

import type { CodePart } from '@svc/schema'
import type { DatabaseType, QualifiedName } from '../ir/index.ts'

/** A table, view, materialised view, foreign or partitioned table as the database describes it. */
export interface DatabaseTable {
  readonly table: QualifiedName
  readonly kind: 'table' | 'view' | 'materialized-view' | 'foreign-table' | 'partitioned-table'
  readonly description: string | null
  /** In the order of the table. */
  readonly columns: readonly DatabaseColumn[]
  readonly primaryKey: { readonly constraint: string; readonly columns: readonly string[] } | null
  /** Unique constraints and unique indexes, the primary key left out. `partial`: over some rows or over expressions. */
  readonly uniqueKeys: readonly {
    readonly constraint: string
    readonly columns: readonly string[]
    readonly partial: boolean
    /** Else a bare index, whose name no one requested. */
    readonly isConstraint: boolean
  }[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly insertable: boolean
  readonly updatable: boolean
  readonly deletable: boolean
  /**
   * Inserting a row runs nothing that could read tables or settings: no trigger, rule or row security, no default and no
   * constraint that calls a user's function. Absent: it may.
   */
  readonly insertsAlone?: boolean
  /** The same of changing and deleting rows, which nothing passes on to other tables. Absent: something may. */
  readonly writesAlone?: boolean
  /** Reading it runs nothing of a user's, and shows rows of no other table: no view, no row security. Absent: it may. */
  readonly readsAlone?: boolean
  /** Changes whenever the database's catalogue rows behind this table change. */
  readonly fingerprint: string
  /** The columns of which every query has to filter one (BigQuery's require_partition_filter); absent: it need not. */
  readonly partitionFilter?: readonly string[]
  /** The database's own identity of the table; survives a rename (run_sql follows renames by it). */
  readonly oid: string
}

export interface DatabaseColumn {
  readonly name: string
  /** Position in the table; survives a rename. */
  readonly position: number
  readonly type: DatabaseType
  readonly nullable: boolean
  readonly hasDefault: boolean
  readonly generated: 'never' | 'stored' | 'identity-always' | 'identity-by-default'
  readonly description: string | null
}

export interface ForeignKey {
  readonly constraint: string
  readonly oid: string
  readonly target: QualifiedName
  readonly columns: readonly { readonly from: string; readonly to: string }[]
}

/** A function as the database describes it; several may share a name. Aggregates and procedures are none. */
export interface DatabaseFunction {
  readonly function: QualifiedName
  readonly description: string | null
  readonly volatility: 'immutable' | 'stable' | 'volatile'
  readonly variadic: boolean
  /** The arguments that a call passes. */
  readonly arguments: readonly DatabaseArgument[]
  /** The type as it is written: a domain is of the kind `other`. */
  readonly returns: { readonly type: DatabaseType; readonly set: boolean }
  /** A table-valued function, and the columns that it declares; null: it declares none. Absent: it is another function. */
  readonly table?: { readonly columns: readonly { readonly name: string; readonly type: DatabaseType }[] | null }
  /** The database's own identity; survives a rename and a new body. */
  readonly oid: string
}

export interface DatabaseArgument {
  readonly name: string | null
  readonly type: DatabaseType
  readonly hasDefault: boolean
}

/** Names of what a user made, for a list to choose from. */
export interface Trackables {
  /** By schema and name, each once. */
  readonly functions: readonly QualifiedName[]
  /** Tables that belong to another table or to an extension. */
  readonly subordinate: readonly QualifiedName[]
}

/** Everything of a database that metadata can refer to. Tables that did not change keep their reference between two of these. */
export interface Introspection {
  /** By `${schema}.${name}` escaped as in schema's ownKey('table', …). System schemas and svc_catalog left out. */
  readonly tables: ReadonlyMap<string, DatabaseTable>
  readonly serverVersion: number
}

/**
 * Whether a table's columns make it an enum table (reference/database-objects#enum-tables): what its values and their
 * comments are, or all that is wrong.
 */
export type EnumShape =
  | { readonly ok: true; readonly key: string; readonly comment: string | null }
  | { readonly ok: false; readonly reasons: readonly string[] }

export interface EnumValue {
  readonly name: string
  readonly description: string | null
}

/** The values of an enum table, sorted by name; `none` where there was nothing to read. */
export type EnumValues =
  | { readonly status: 'read'; readonly values: readonly EnumValue[] }
  | { readonly status: 'failed'; readonly reason: string }
  | { readonly status: 'none' }

/** A native query as metadata declares it: its SQL, and the types of its arguments as they are written. */
export interface QueryDefinition {
  readonly parts: readonly CodePart[]
  readonly arguments: Readonly<Record<string, string>>
}

/** What the database says of a query without running it. */
export type QueryVerdict =
  | { readonly status: 'ok'; readonly columns: readonly { readonly name: string; readonly type: DatabaseType }[] }
  | { readonly status: 'refused'; readonly reason: string }
  /** Not checked: the type of an argument is unknown, or metadata is not to be validated. */
  | { readonly status: 'unchecked' }

import type { MetadataDocument, ObjectAddress } from '@svc/schema'

/** A table as the database describes it: as much of it as operations read. */
interface KnownTable {
  readonly columns: readonly string[]
  readonly primaryKey: readonly string[] | null
  /** Names of its primary key and unique constraints. */
  readonly constraints: readonly string[]
}

/**
 * Something that would break without what is to be dropped: the items of a dependency-error
 * (reference/metadata-document#dependencies).
 */
export interface DependentObject {
  readonly address: ObjectAddress
  /** `permission author.user.select in source "default"` */
  readonly text: string
  /**
   * Whether `cascade` removes it; else what it depends on is not dropped (reference/metadata-document#dependencies).
   */
  readonly isCascaded: boolean
}

export interface InconsistentQuery {
  readonly collection: ObjectAddress
  readonly query: string
}

/**
 * What operations read of the layers above the document: the model and the databases. Every call is about the
 * document passed with it, so an operation in a bulk sees what the members before it made.
 */
export interface OperationContext {
  /** Only the end state of an atomic bulk is checked: a drop then does not read its dependents. */
  readonly checksEndState: boolean
  /** Whether roles need a permission to see a remote schema (reference/remote-schemas#permissions-of-roles). */
  readonly remoteSchemaPermissionsEnabled: boolean
  sourceStatus(source: string): 'ready' | 'unavailable' | 'unknown'
  /** Null: not in the database, or the database cannot be reached. */
  table(source: string, table: ObjectAddress): KnownTable | null
  /** Everything that depends on one of the objects, directly or not, and is not below one of them. */
  dependentsOf(document: MetadataDocument, objects: readonly ObjectAddress[]): readonly DependentObject[]
  /** The relationship under its new name, wherever it is used; and what was changed for it. */
  renameRelationship(
    document: MetadataDocument,
    relationship: ObjectAddress,
    name: string,
  ): { readonly document: MetadataDocument; readonly touched: readonly ObjectAddress[] }
  /** Objects that are inconsistent and may be dropped for it: no source of a kind that this version does not serve. */
  inconsistentObjects(document: MetadataDocument): readonly ObjectAddress[]
  /** Queries of collections that do not fit the schema. */
  inconsistentQueries(document: MetadataDocument): readonly InconsistentQuery[]
}

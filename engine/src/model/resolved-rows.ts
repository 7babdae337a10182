import type { ObjectAddress } from '@svc/schema'
import type { EnumValue } from '../backends/index.ts'
import type { DatabaseType, Join, QualifiedName, Reference } from '../ir/index.ts'
import type { SourceNaming } from './naming/source-naming.ts'
import type { NamePiece } from './naming/spell.ts'
import type { TableId } from './object-ids.ts'
import type { ResolvedRemoteRelationship } from './parts/remote-relationship/resolved-remote-relationship.ts'
import type { ResolvedArgument } from './resolved-function.ts'
import type { ResolvedNativeQuery } from './resolved-native-query.ts'
import type {
  ResolvedDeletePermission,
  ResolvedInsertPermission,
  ResolvedSelectPermission,
  ResolvedUpdatePermission,
} from './resolved-permission.ts'
import type { MutationFieldKind, RootFieldKind } from './root-owner.ts'

/** What can be selected from. */
export type ResolvedRows = ResolvedTable | LogicalRows

/** A type of rows: those of a table, or of native queries. */
interface RowType {
  readonly id: TableId
  readonly source: string
  readonly table: QualifiedName
  readonly address: ObjectAddress
  readonly naming: SourceNaming
  /** What the names of its fields and types are made of. */
  readonly baseName: NamePiece | null
  /**
   * Of its row type. Null: its name is no GraphQL name, so it contributes nothing to GraphQL
   * (reference/graphql-schema#names-of-tables-and-functions).
   */
  readonly graphqlName: string | null
  readonly description: string | null
  /** In the order of the table. */
  readonly columns: readonly ResolvedColumn[]
  readonly columnsByField: ReadonlyMap<string, ResolvedColumn>
  readonly columnsByName: ReadonlyMap<string, ResolvedColumn>
  /** Null where there is none (views never have one). */
  readonly primaryKey: readonly ResolvedColumn[] | null
  readonly relationships: ReadonlyMap<string, ResolvedRelationship>
  readonly computedFields: ReadonlyMap<string, ResolvedComputedField>
  readonly selectPermissions: ReadonlyMap<string, ResolvedSelectPermission>
}

export interface ResolvedTable extends RowType {
  readonly kind: 'table'
  /** Other subgraphs may refer to its rows by their key (reference/http#limits-and-federation). */
  readonly isEntity: boolean
  readonly rootFields: readonly ResolvedRootField[]
  /** Those of the mutation root that the table allows (reference/graphql-schema#root-fields). */
  readonly mutationFields: readonly ResolvedMutationField[]
  /** What of it can be written, whether or not GraphQL shows it. */
  readonly writes: readonly MutationFieldKind[]
  /** Inserting a row runs nothing that could read tables or settings. */
  readonly insertsAlone: boolean
  /** Changing and deleting rows runs nothing that could read tables or settings, nor changes other tables. */
  readonly writesAlone: boolean
  /** Reading it runs nothing of a user's, and shows rows of no other table. */
  readonly readsAlone: boolean
  /** A row that was just written has them; those of views and of partitioned tables have not. */
  readonly hasSystemColumns: boolean
  readonly refersTo: readonly Reference[]
  /**
   * What rows may conflict with: primary key, unique constraints and unique indexes (reference/mutations#conflicts).
   */
  readonly uniqueKeys: readonly ResolvedUniqueKey[]
  /** `T_stream` of the subscription root; null without a GraphQL name. */
  readonly streamField: { readonly name: string; readonly description: string | null } | null
  readonly remoteRelationships: ReadonlyMap<string, ResolvedRemoteRelationship>
  readonly insertPermissions: ReadonlyMap<string, ResolvedInsertPermission>
  readonly updatePermissions: ReadonlyMap<string, ResolvedUpdatePermission>
  readonly deletePermissions: ReadonlyMap<string, ResolvedDeletePermission>
}

/**
 * The rows of native queries: of a logical model, or described in place (reference/database-objects#native-queries).
 */
export interface LogicalRows extends RowType {
  readonly kind: 'logical-model'
  /** Fields that are rows of other logical models. */
  readonly nestedRows: ReadonlyMap<string, NestedRows>
}

export interface ResolvedMutationField {
  readonly kind: MutationFieldKind
  readonly name: string
  readonly description: string | null
}

export interface ResolvedUniqueKey {
  readonly name: string
  /** Column names. */
  readonly columns: readonly string[]
  readonly isPrimary: boolean
}

export interface ResolvedRootField {
  readonly kind: RootFieldKind
  readonly name: string
  readonly description: string | null
}

export interface ResolvedColumn {
  readonly name: string
  /** GraphQL field name. */
  readonly field: string
  readonly type: DatabaseType
  readonly nullable: boolean
  /** False: only the database writes it (stored generation, identity always). */
  readonly writable: boolean
  readonly description: string | null
  /** Refers to an enum table, whose values are all it can hold (reference/database-objects#enum-tables). */
  readonly enumType: ResolvedEnum | null
}

/** A field whose value is an object of another logical model, or a list of them: JSON or a composite in the database. */
export interface NestedRows {
  readonly name: string
  readonly list: boolean
  readonly nullable: boolean
  readonly description: string | null
  /** The logical model. */
  readonly target: TableId
}

/** An enum table as a type. */
export interface ResolvedEnum {
  /** `<T>_enum` */
  readonly name: string
  /** Sorted by name. */
  readonly values: readonly EnumValue[]
  /** What the database holds for each, where a naming convention shows them in capitals. */
  readonly stored: Readonly<Record<string, string>> | null
}

export interface ResolvedRelationship {
  readonly name: string
  /**
   * False: its name is no GraphQL name, so only permissions can use it
   * (reference/graphql-schema#names-of-tables-and-functions).
   */
  readonly inGraphql: boolean
  readonly kind: 'object' | 'array'
  readonly target: TableId
  readonly join: Join
  /**
   * `R!` only for a foreign key on this table's columns that are all NOT NULL (reference/graphql-schema#object-types).
   */
  readonly nullable: boolean
  readonly description: string | null
  /**
   * Of an insert of both: the row that the other one's columns refer to is written first
   * (reference/mutations#order-of-an-insert).
   */
  readonly insertedFirst: 'own' | 'target'
  /** The native query whose rows it leads to: not for conditions and orders, since it may require arguments. */
  readonly query?: ResolvedNativeQuery
}

/** A field that a function of the database computes from a row (reference/database-objects#computed-fields). */
export interface ResolvedComputedField {
  readonly name: string
  readonly description: string | null
  readonly function: QualifiedName
  readonly set: boolean
  /** In the order of the function. */
  readonly arguments: readonly ResolvedArgument[]
  readonly returns:
    | { readonly kind: 'scalar'; readonly type: DatabaseType }
    | { readonly kind: 'table'; readonly table: TableId; readonly of: QualifiedName }
    /** Rows that are of no table. */
    | { readonly kind: 'columns'; readonly columns: readonly { readonly name: string; readonly type: DatabaseType }[] }
}

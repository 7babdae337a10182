/**
 * The resolved model: what metadata means on the databases as they are. Immutable; an update shares what it
 * does not touch, so the reference of a resolved object changes only when its meaning may have changed.
 */
import type { CodePart, JsonObject, MetadataDocument, ObjectAddress } from '@svc/schema'
import type { Map as ImmutableMap, OrderedSet as ImmutableOrderedSet } from 'immutable'
import type { EnumValue } from '../backends/index.ts'
import type { ApiError, ErrorCode } from '../errors.ts'
import type { Environment } from '../http-client/index.ts'
import type { BooleanExpression, DatabaseType, Join, QualifiedName, Value } from '../ir/index.ts'
import type { RemoteStates } from '../remote-schemas/index.ts'
import type { SourceState } from '../sources/index.ts'
import type { ModelGraph } from './graph.ts'
import type { InheritedRole } from './inherit/inherited-role.ts'
import type { SourceNaming } from './naming/source-naming.ts'
import type { NamePiece, NamingConvention } from './naming/spell.ts'
import type { CheckedQueries, StoredQueryCheck } from './parts/query-collection/check-stored-queries.ts'
import type { ResolvedRemoteRelationship } from './parts/remote-relationship/resolved-remote-relationship.ts'
import type { RestEndpoints } from './parts/rest-endpoint/resolve-rest-endpoints.ts'
import type { PartValues } from './parts/values.ts'

/** Server settings that shape the schema. */
export interface ModelSettings {
  readonly stringifyNumericTypes: boolean
  /** How often a root field may reach other tables. */
  readonly maxQueryJoins?: number
  readonly inferFunctionPermissions: boolean
  /**
   * Of sources that name none (reference/graphql-schema#the-naming-convention-graphql-default); absent or null:
   * conventions are switched off.
   */
  readonly namingConvention?: NamingConvention | null
  /** No `T_stream` (reference/graphql-schema#root-fields). */
  readonly hideStreamFields?: boolean
  /** Native queries are served whatever the database says of their SQL (reference/database-objects#native-queries). */
  readonly ignoreNativeQueryVerdicts?: boolean
  /** No `update_T_many` (reference/graphql-schema#root-fields). */
  readonly hideUpdateManyFields?: boolean
  /** No conditions on aggregates in GraphQL (reference/filters#aggregates-of-relationships). */
  readonly hideAggregationPredicates?: boolean
  /** Tables may be entities of Apollo federation (reference/http#limits-and-federation). */
  readonly apolloFederation?: boolean
  /** Where references of actions are resolved; absent: they are not checked. */
  readonly environment?: Environment
  /** Arrays are scalars in GraphQL (reference/graphql-schema#scalars). */
  readonly arraysAreScalars?: boolean
  /** Roles see of remote schemas what they are permitted, not all (reference/remote-schemas#permissions-of-roles). */
  readonly remoteSchemaPermissions?: boolean
  /** Of session variables in permissions, beside X-Svc- (lower case, --header-prefix). */
  readonly headerPrefix?: string
  /** Absent: queries of collections are not checked. */
  readonly checkStoredQuery?: StoredQueryCheck
}

export interface ModelInput {
  readonly document: MetadataDocument
  readonly sources: ReadonlyMap<string, SourceState>
  /** Absent: there are none. */
  readonly remotes?: RemoteStates
  readonly settings: ModelSettings
}

export interface Model {
  readonly input: ModelInput
  /** Tracked and consistent tables. */
  readonly tables: ImmutableMap<TableId, ResolvedTable>
  /** What native queries give, by an id that no table has. */
  readonly logicalRows: ImmutableMap<TableId, LogicalRows>
  /**
   * Root fields of every kind of object; each name has one owner
   * (reference/graphql-schema#names-of-tables-and-functions, architecture decision 12).
   */
  readonly roots: Roots
  /**
   * Namespaces of root fields (reference/graphql-schema#customization-of-a-source), and the tables in each: those of
   * one source.
   */
  readonly namespaces: ImmutableMap<string, ImmutableOrderedSet<TableId>>
  /** Tracked and consistent functions by id. */
  readonly functions: ImmutableMap<FunctionId, ResolvedFunction>
  /** Tracked and consistent native queries by id. */
  readonly nativeQueries: ImmutableMap<NativeQueryId, ResolvedNativeQuery>
  /** What objects of the other kinds resolve to, a map per part: read with `partValue` and `partValues`. */
  readonly values: PartValues
  /** Roles that some permission or inherited role names, admin left out. */
  readonly roles: ReadonlySet<string>
  /** Roles that are shown nothing of their schema (reference/http#limits-and-federation). */
  readonly introspectionDisabledFor: ReadonlySet<string>
  /** Consistent inherited roles by name. */
  readonly inheritedRoles: ReadonlyMap<string, InheritedRole>
  /** Consistent REST endpoints, and what is wrong with others. */
  readonly restEndpoints: RestEndpoints
  /** Queries of collections as they were last checked. */
  readonly storedQueries: CheckedQueries
  /** By addressText of the object. */
  readonly inconsistencies: ImmutableMap<string, InconsistentObject>
  /** What lies behind each inconsistency; same keys. */
  readonly faults: ImmutableMap<string, Fault>
  /** What updates start from; nobody else's business. */
  readonly graph: ModelGraph
  /** How many objects the update that made this model resolved again. */
  readonly rebuilt: number
}

/** `${source}/${ownKey of table}` with the source escaped like a name. */
export type TableId = string

/** Rows that can be selected from, whatever they are of. */
export const rowsOf = (
  { tables, logicalRows }: Pick<Model, 'tables' | 'logicalRows'>,
  id: TableId,
): ResolvedRows | undefined => tables.get(id) ?? logicalRows.get(id)

/**
 * `select_one` is a second name of select_by_pk: `<n>_one` of a table with a custom name
 * (reference/graphql-schema#table-configuration).
 */
export type RootFieldKind = 'select' | 'select_by_pk' | 'select_one' | 'select_aggregate'

export type MutationFieldKind =
  | 'insert'
  | 'insert_one'
  | 'update'
  | 'update_by_pk'
  | 'update_many'
  | 'delete'
  | 'delete_by_pk'

export type RootName = 'query' | 'mutation' | 'subscription'

/** By `rootKey`. The fields of tables and functions in `subscription` are those of `query` and not listed again. */
export interface Roots {
  readonly query: ImmutableMap<string, QueryFieldOwner>
  readonly mutation: ImmutableMap<string, MutationFieldOwner>
  readonly subscription: ImmutableMap<string, QueryFieldOwner>
}

/** What a root field comes from. */
export type RootFieldOwner = QueryFieldOwner | MutationFieldOwner
export type QueryFieldOwner = TableField | FunctionField | NativeQueryField | ActionRootField | RemoteRootField
export type MutationFieldOwner = TableMutationField | FunctionField | ActionRootField | RemoteRootField

/** A field of a remote schema's root, by its upstream name; null: the namespace of all of them. */
export interface RemoteRootField {
  readonly kind: 'remote'
  readonly remote: string
  readonly field: string | null
}

export interface ActionRootField {
  readonly kind: 'action'
  readonly action: string
}

export interface TableMutationField {
  readonly kind: MutationFieldKind
  readonly table: TableId
}

export interface TableField {
  readonly kind: RootFieldKind
  readonly table: TableId
}

export interface NativeQueryField {
  readonly kind: 'native_query'
  readonly query: NativeQueryId
}

/** What can be selected from. */
export type ResolvedRows = ResolvedTable | LogicalRows

/** A type of rows: those of a table, or what native queries give. */
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
  /** Inserting a row runs nothing that could look at tables. */
  readonly insertsAlone: boolean
  /** The same of changing and deleting rows, which nothing passes on to other tables. */
  readonly writesAlone: boolean
  /** A row that was just written has them; those of views and of partitioned tables have not. */
  readonly hasSystemColumns: boolean
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
  /** Fields that hold rows of other logical models. */
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
  /** False: the database alone writes it (stored generation, identity always). */
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
  /** The native query whose rows it leads to: not for conditions and orders, since it may ask for arguments. */
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
}

/** `${source}/${ownKey of function}`, escaped as in a TableId. */
export type FunctionId = string

/** `${source}/${ownKey}`, escaped as in a TableId. */
export type NativeQueryId = string

export interface FunctionField {
  readonly kind: 'function' | 'function_aggregate'
  readonly function: FunctionId
}

/** A tracked function (reference/database-objects#tracked-functions). */
export interface ResolvedFunction {
  readonly id: FunctionId
  readonly source: string
  readonly function: QualifiedName
  readonly set: boolean
  readonly volatile: boolean
  readonly arguments: readonly ResolvedArgument[]
  /** What it gives rows of. */
  readonly table: TableId
  readonly of: QualifiedName
  readonly exposedAs: 'query' | 'mutation'
  /** Of its source. */
  readonly naming: SourceNaming
  /** `<fn>_args` */
  readonly argumentsName: string
  readonly field: string
  /** Null: it gives one row. */
  readonly aggregateField: string | null
  /** In Relay's schema, where its rows are nodes. Null: it gives one row. */
  readonly connectionField: string | null
  readonly description: string | null
  /** Those with a permission of their own. */
  readonly roles: ReadonlySet<string>
}

/** A query in SQL as a root field (reference/database-objects#native-queries). */
export interface ResolvedNativeQuery {
  readonly id: NativeQueryId
  readonly source: string
  /** Its root field, which has neither prefix nor namespace. */
  readonly name: string
  readonly description: string | null
  readonly parts: readonly CodePart[]
  readonly arguments: readonly {
    readonly name: string
    readonly type: DatabaseType
    readonly nullable: boolean
    readonly description: string | null
  }[]
  /** `<name>_arguments` */
  readonly argumentsName: string
  /** The logical model of its rows. */
  readonly rows: TableId
  readonly of: QualifiedName
}

/** What an argument of a function is filled with. */
export type ResolvedArgument =
  | { readonly kind: 'row'; readonly name: string | null }
  | { readonly kind: 'session'; readonly name: string; readonly type: DatabaseType }
  | {
      readonly kind: 'user'
      /** Null: it has none in the database. */
      readonly name: string | null
      /** In GraphQL. */
      readonly field: string
      readonly type: DatabaseType
      readonly hasDefault: boolean
    }

export interface ResolvedSelectPermission {
  readonly role: string
  /** Column names. */
  readonly columns: ReadonlySet<string>
  /** Scalar computed fields. */
  readonly computedFields: ReadonlySet<string> | '*'
  readonly filter: BooleanExpression
  readonly limit: number | null
  readonly allowAggregations: boolean
  /** Null: all. */
  readonly queryRootFields: ReadonlySet<string> | null
  readonly subscriptionRootFields: ReadonlySet<string> | null
}

/** A column's value in every row that a role writes (reference/permissions#keys). */
export interface Preset {
  readonly column: string
  readonly value: Value
}

/** A webhook that is asked about the input before anything is written (reference/mutations#validation-of-input). */
export interface InputValidation {
  readonly url: string
  readonly headers: readonly JsonObject[]
  /** Seconds. */
  readonly timeout: number
  readonly forwardClientHeaders: boolean
}

export interface ResolvedInsertPermission {
  readonly role: string
  /** Column names, presets left out. */
  readonly columns: ReadonlySet<string>
  readonly check: BooleanExpression
  readonly presets: readonly Preset[]
  /** Only where the request comes from a backend (reference/permissions#effect-on-the-schema). */
  readonly backendOnly: boolean
  readonly validateInput: InputValidation | null
}

export interface ResolvedUpdatePermission extends ResolvedInsertPermission {
  /** Of the row before it is written; `check` is of the row after. */
  readonly filter: BooleanExpression
}

export interface ResolvedDeletePermission {
  readonly role: string
  readonly filter: BooleanExpression
  readonly backendOnly: boolean
  readonly validateInput: InputValidation | null
}

/** reference/metadata-document#inconsistent-objects */
export interface InconsistentObject {
  readonly reason: string
  readonly type: string
  readonly name: string
  readonly definition: JsonObject | string
  readonly message?: unknown
}

/**
 * A permission that an inherited role does not inherit, since its parents differ in it
 * (reference/metadata-document#inconsistent-objects).
 */
export interface PermissionConflict {
  readonly reason: string
  readonly type: 'inherited role permission inconsistency'
  readonly name: string
  readonly entity: JsonObject
}

/**
 * Why an object is inconsistent. `database`: the database lacks something or has it otherwise. `metadata`: something
 * that metadata could still gain. `clash`: a name is taken. `definition`: wrong whatever else exists.
 */
export type FaultCause = 'database' | 'metadata' | 'clash' | 'definition'

/** What a change is refused with that takes a name: its code, and its message with `{name}` for the name. */
export interface Conflict {
  readonly code: ErrorCode
  readonly message: string
}

export interface Fault {
  readonly address: ObjectAddress
  readonly cause: FaultCause
  /** With cause `metadata`: what is missing. With `clash`: who has the name. */
  readonly needs: readonly ObjectAddress[]
  /** Keys inside the object's value, down to the part at fault: permission, columns, 0. */
  readonly at: readonly (string | number)[]
  /** With a clash of root fields or types: their names. */
  readonly names: readonly string[]
  /** Of a query collection: the query at fault, all else of it being right. */
  readonly query?: string
  /** Refuses a change of the object with this code instead of invalid-configuration. */
  readonly code?: 'not-supported'
  /** Refuses it with this error instead. */
  readonly refusal?: ApiError
  /** Refuses a change that takes a name from the object. */
  readonly conflict?: Conflict
}

/**
 * What depends on an object: the items of a dependency-error and what cascade removes
 * (reference/metadata-document#dependencies).
 */
export interface Dependent {
  readonly address: ObjectAddress
  /** `permission author.user.select in source "default"` */
  readonly text: string
  /** Whether `cascade` removes it; else what it depends on is not dropped. */
  readonly isCascaded: boolean
}

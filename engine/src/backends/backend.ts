/**
 * What a kind of database must offer. A backend knows IR and its database; it knows no GraphQL document,
 * no metadata document and no HTTP.
 */
import type { CodePart, JsonObject } from '@svc/schema'
import type { Path } from '../errors.ts'
import type { DatabaseType, QualifiedName, RootQuery, StreamQuery, Value, ValueType, Write } from '../ir/index.ts'
import type { LongWork } from '../long-work.ts'
import type { Observation } from '../observe/index.ts'
import type { Template } from '../templates/index.ts'
import type { CaptureChange, CaptureOptions, EventStore } from './event-store.ts'
import type { ConfigurationContext } from './source-configuration.ts'
import type { SourceKind } from './source-kind.ts'

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
    /** Else a bare index, whose name nobody asked for. */
    readonly isConstraint: boolean
  }[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly insertable: boolean
  readonly updatable: boolean
  readonly deletable: boolean
  /**
   * Inserting a row runs nothing that could look at tables: no trigger, rule or row security, no default and no constraint
   * that calls a user's function. Absent: it may.
   */
  readonly insertsAlone?: boolean
  /** The same of changing and deleting rows, which nothing passes on to other tables. Absent: something may. */
  readonly writesAlone?: boolean
  /** Changes whenever the database's catalogue rows behind this table change. */
  readonly fingerprint: string
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
  /** Those that a call gives. */
  readonly arguments: readonly DatabaseArgument[]
  /** The type as it is written: a domain is of the kind `other`. */
  readonly returns: { readonly type: DatabaseType; readonly set: boolean }
  /** The database's own identity; survives a rename and a new body. */
  readonly oid: string
}

export interface DatabaseArgument {
  readonly name: string | null
  readonly type: DatabaseType
  readonly hasDefault: boolean
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

/** What an enum table holds, sorted by name; `none` where there was nothing to read. */
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
  /** Not asked: the type of an argument is unknown, or metadata is not to be validated. */
  | { readonly status: 'unchecked' }

/** One operator of a comparison input (`_eq`, `_in`, `_like` …). */
export interface OperatorDeclaration {
  /** With the underscore, as GraphQL and permissions spell it. */
  readonly name: string
  /** What its value is: the column's own type, a list of it, or another type. */
  readonly argument:
    | { readonly kind: 'self' }
    | { readonly kind: 'list' }
    | { readonly kind: 'boolean' } // _is_null only
    | { readonly kind: 'type'; readonly type: DatabaseType; readonly list: boolean }
    /** An input object; its fields are the values of the IR's `right`, in this order, absent ones by their default. */
    | { readonly kind: 'object'; readonly name: string; readonly fields: readonly OperatorArgument[] }
}

/** A field of an operator's input object: `distance: Float!`. */
export interface OperatorArgument {
  readonly name: string
  readonly type: DatabaseType
  readonly required: boolean
  /** JSON, as coerceInput takes it. */
  readonly default?: boolean
}

export interface TypeSystem {
  /**
   * Arrays are scalars `_<x>` instead of lists (reference/graphql-schema#scalars, experimental
   * `disable_postgres_arrays`).
   */
  readonly arraysAreScalars?: true
  /** GraphQL scalar of a type (reference/graphql-schema#scalars), without list or `!`. */
  graphqlScalar(type: DatabaseType): string
  /** Operators of a column of this type, in the order introspection shows them (reference/filters#operators). */
  operators(type: DatabaseType): readonly OperatorDeclaration[]
  /** Those that are left where the column refers to an enum table. */
  enumOperators(type: DatabaseType): readonly OperatorDeclaration[]
  /** What `_cast` offers of such a column: `String` (text) for jsonb; each field is named after its type's scalar. */
  casts(type: DatabaseType): readonly DatabaseType[]
  /** One of those that the engine knows by name, not an array (reference/graphql-schema#scalars). */
  isKnown(type: DatabaseType): boolean
  isNumeric(type: DatabaseType): boolean
  /** May appear in max/min. */
  isComparable(type: DatabaseType): boolean
  /** json and jsonb columns take `path`. */
  isJson(type: DatabaseType): boolean
  /**
   * JSON of a GraphQL literal or variable -> the database's text form (null: NULL). reference/values#values-of-input.
   * `literal` distinguishes enum literals and such from JSON strings where it matters. Throws parse-failed / validation-failed at path.
   */
  coerceInput(type: ValueType, json: unknown, path: Path): string | null
  /** As `coerceInput`, in pieces, for values that take long. */
  coerceLong(type: ValueType, json: unknown, path: Path): LongWork<string | null>
  /** A value that stands in metadata: as `coerceInput`, and what no database could read as that type is refused too. */
  coerceConstant(type: ValueType, json: unknown, path: Path): string | null
  /** A session variable's text -> the database's text form. */
  coerceSession(type: ValueType, text: string): string
  /** The type of a name as written in a GraphQL variable or a native query: Int, String, timestamptz, _int4 … */
  typeOfScalar(name: string): DatabaseType | null
}

export interface CompileOptions {
  readonly stringifyNumericTypes: boolean
  /** How often a statement may reach other tables, at most: validation-failed beyond. Absent: 1,000. */
  readonly mostJoins?: number
}

/**
 * What running a statement may do beside answering. `none`: nothing, so it may be sent again, measured, and pipelined beside
 * the statements of other requests. `unknown`: volatile functions and native queries. `writes`: changes rows. Those two run
 * on a connection of their own and are sent again only where they provably never began. `rows`: changes few rows, and runs
 * nothing of a user's for it; such transactions may be pipelined too, and be sent again where the server has said that it
 * rolled them back.
 */
export type Effects = 'none' | 'unknown' | 'writes' | 'rows'

/** One statement that returns one row with one text column, the JSON of the root field, or no row for null. */
export interface CompiledQuery {
  readonly text: string
  readonly slots: readonly Value[]
  readonly effects: Effects
  /** The SQL with every slot inlined as a cast literal, for explain. `show` gives the bound text. */
  inlined(show: (slot: Value) => string | null): string
}

/** A row that its check forbids; no row where one was required. */
export type WriteFailure = 'check' | 'empty'

/** What running it takes: kept by the thousand, so without the query that it was made of. */
export type Statement = Pick<CompiledQuery, 'text' | 'slots' | 'effects'>

/** A root field of a subscription. */
export type MultiplexedRoot =
  | { readonly kind: 'query'; readonly query: RootQuery }
  | { readonly kind: 'stream'; readonly query: StreamQuery }

/**
 * One statement that asks the same for many members, each with values of its own
 * (reference/subscriptions#live-queries). It gives a row for each member: its number, then the JSON of each root field,
 * NULL for null, and behind that of a stream the text of the cursor that its batch ends with.
 */
export interface MultiplexedQuery {
  readonly text: string
  readonly effects: Effects
  /** What each member brings. */
  readonly slots: readonly Value[]
  /** What all have in common. */
  readonly shared: readonly Value[]
  /** What the statement is run with: the texts of the members' slots, and those of `shared`. Members are numbered from 0. */
  parameters(
    members: readonly (readonly (string | null)[])[],
    shared: readonly (string | null)[],
  ): readonly (string | null)[]
  /** The SQL with all of it inlined, for explain. */
  inlined(members: readonly (readonly (string | null)[])[], shared: readonly (string | null)[]): string
}

/** A statement and the texts of its slots. */
export interface BoundStatement {
  readonly plan: Statement
  readonly parameters: readonly (string | null)[]
}

export interface TransactionOptions {
  /** Set for the transaction only (`set_config`), before its first statement: names and values. */
  readonly settings?: readonly (readonly [name: string, value: string])[]
  /** Its abort before COMMIT was sent rolls back, and rejects with its reason; afterwards it changes nothing. */
  readonly signal?: AbortSignal
  /** Bytes of all answers together; more is not read: AnswerTooLarge. */
  readonly most?: number
}

/** Statements in one transaction of the source's isolation level, on a connection of its own. */
export interface Transaction {
  /** The JSON bytes. Rejects with an ApiError at the root path; the transaction can then only be rolled back. */
  query(plan: Statement, parameters: readonly (string | null)[]): Promise<Buffer>
  /** Sent in one write, answered in order. Rejects with a TransactionFailed, which has the index of the statement. */
  queryAll(statements: readonly BoundStatement[]): Promise<readonly Buffer[]>
  /** All rows, each column as bytes. */
  queryRows(plan: Statement, parameters: readonly (string | null)[]): Promise<readonly (readonly (Buffer | null)[])[]>
}

/** How a transaction that failed ended. `unknown`: the connection was lost while it was committed. */
export type TransactionOutcome = 'rolled-back' | 'committed' | 'unknown'

/** A transaction that failed; `cause` is the ApiError, at the root path, or AnswerTooLarge. */
export class TransactionFailed extends Error {
  /** Of the statement in its list; null where COMMIT, the settings or the connection are at fault. */
  readonly index: number | null
  readonly outcome: TransactionOutcome

  constructor(index: number | null, outcome: TransactionOutcome, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.index = index
    this.outcome = outcome
  }
}

export interface Backend {
  readonly kind: string
  /** The kinds of source that it serves. */
  readonly kinds: readonly SourceKind[]
  readonly types: TypeSystem
  enumShape(table: DatabaseTable): EnumShape
  compileQuery(query: RootQuery, options: CompileOptions): CompiledQuery
  /** A write, for a transaction (ir/mutation.ts). What it fails with by itself: `writeFailure`. */
  compileWrite(write: Write, options: CompileOptions): CompiledQuery
  /** The same in pieces, for a write of many rows. */
  compileLongWrite(write: Write, options: CompileOptions): LongWork<CompiledQuery>
  /** Why a compiled write failed, where that is none of the database's own reasons. */
  writeFailure(error: unknown): WriteFailure | null
  compileMultiplexed(roots: readonly MultiplexedRoot[], options: CompileOptions): MultiplexedQuery
  /** Why a read that has no effects failed, where another database could answer it; null: it is the answer. */
  readFailure(error: unknown): ReadFailure | null
  /** A source by its configuration in metadata, with what that refers to. Throws UnresolvedConfiguration. */
  source(name: string, configuration: JsonObject, context: ConfigurationContext): OpenableSource
}

/** A source that can be opened. */
export interface OpenableSource {
  /** Of equal keys one connection serves both. It may hold secrets. */
  readonly key: string
  /** For logs: without secrets. */
  readonly shown: string
  /** Fails with a SourceUnavailable. */
  open(report: (observation: Observation) => void): Promise<SourceConnection>
  /** Where requests may go instead; absent: nowhere. */
  readonly routing?: RoutingSettings
}

/** The connections that a source's configuration names beside its own, and what chooses among them (docs/routing.md). */
export interface RoutingSettings {
  readonly replicas: readonly OpenablePool[]
  /** Of the connection set, by name. */
  readonly members: ReadonlyMap<string, OpenablePool>
  /** Null: reads go to replicas, all else to the source itself. */
  readonly template: Template | null
}

/** Connections that are opened when first used. */
export interface OpenablePool {
  /** Of equal keys one pool serves both. It may hold secrets. */
  readonly key: string
  /** Where it is, for logs and metrics: without secrets. */
  readonly address: string
  /** How many connections it may have. */
  readonly size: number
  /** Throws SourceUnavailable where its settings cannot be read. */
  open(report: (observation: Observation) => void): SourceConnection
}

/** The resolved connection_info of a source (environment variables already read). */
export interface ConnectionSettings {
  readonly source: string
  readonly databaseUrl: string
  readonly maxConnections: number
  /** Seconds. */
  readonly idleTimeout: number
  readonly connectionLifetime: number
  readonly poolTimeout: number | null
  readonly retries: number
  readonly isolationLevel: 'read-committed' | 'repeatable-read' | 'serializable'
  readonly usePreparedStatements: boolean
  /** Statements say at their end which trace they belong to; none is kept prepared then, since each differs. */
  readonly namesTraces?: boolean
  /** Where extensions were created, when not in `public`: appended to the search_path. */
  readonly extensionsSchema: string | null
  readonly ssl: SslSettings | null
  /** Milliseconds for which requests wait for a database that was there; 5,000 when absent. */
  readonly retryFor?: number
}

/** `ssl_configuration` with its certificates read (PEM). */
export interface SslSettings {
  readonly mode: string
  readonly rootCertificate: string | null
  readonly certificate: string | null
  readonly key: string | null
  readonly password: string | null
}

/** Connections of one source to its database. */
export interface ConnectionCounts {
  /** Opening, idle, in use or ending. */
  readonly open: number
  readonly idle: number
  /** Requests that wait for one. */
  readonly waiting: number
}

/** What a database says of itself as a copy of another. */
export interface Replication {
  readonly serverVersion: number
  /** It only follows another; null: it does not say. */
  readonly inRecovery: boolean | null
  /** How far its log reaches, or what it has followed; null: it does not say. */
  readonly position: bigint | null
  /** Milliseconds since the last transaction that it has followed was committed; null: none was yet. */
  readonly age: number | null
  /** Equal for a database and all its physical copies; null: it does not say. */
  readonly system: string | null
  /** Counts the promotions that its log has seen; null: it does not say. */
  readonly timeline: number | null
  /** When this server was started: equal for one and the same server only; null: it does not say. */
  readonly started: string | null
}

/**
 * Why a read without effects failed on a replica: `unreachable`: the database is away. `elsewhere`: it cannot be answered
 * there and now (a conflict with recovery, something that is read-only, no memory). `differs`: tables, columns or functions
 * are others than those of the source.
 */
export type ReadFailure = 'unreachable' | 'elsewhere' | 'differs'

export interface SourceConnection {
  /**
   * How far the database is, asked over a connection of its own. Rejects where it does not answer before `signal` aborts.
   * `understands`: a statement that it must be able to parse.
   */
  replication(signal: AbortSignal, understands?: string): Promise<Replication>
  /**
   * Runs a script that changes nothing over a new connection. The database ends a statement after `limit` milliseconds, which
   * is later than anybody waits. Rejects with an ApiError, or the reason of `signal`.
   */
  check(script: string, limit: number, signal: AbortSignal): Promise<void>
  connections(): ConnectionCounts
  /** Whether the database answers at all. Rejects where it does not. */
  ping(): Promise<void>
  /**
   * Reads the catalogue. With `previous`, only tables of which something was written since are read again, and the result is
   * `previous` only where nothing at all was written, of functions and types neither; with `only`, only those tables are looked
   * at (those that do not exist leave the result; `previous`: they are as they were).
   */
  introspect(previous: Introspection | null, only?: readonly QualifiedName[]): Promise<Introspection>
  /** The rows of a table as an enum's values; what the database refuses is a value too. Rejects when it cannot be reached. */
  readEnum(table: DatabaseTable): Promise<EnumValues>
  /** The functions of these names, in the order asked; an empty list where there is none. */
  readFunctions(names: readonly QualifiedName[]): Promise<readonly (readonly DatabaseFunction[])[]>
  /** The types of these names as SQL writes them, in the order asked; null where there is none. */
  readTypes(names: readonly string[]): Promise<readonly (DatabaseType | null)[]>
  /** What the database says of native queries, in the order asked. `typeOf`: the type that an argument is declared with. */
  checkQueries(
    queries: readonly QueryDefinition[],
    typeOf: (name: string) => DatabaseType | null,
  ): Promise<readonly QueryVerdict[]>
  /**
   * Runs a compiled query and gives the JSON bytes unparsed. `plan` identifies the statement for naming and cost. A large
   * answer of more than `most` bytes is not read: AnswerTooLarge.
   */
  query(plan: Statement, parameters: readonly (string | null)[], signal?: AbortSignal, most?: number): Promise<Buffer>
  /** Runs a statement and gives all its rows, each column as bytes (batched subscriptions: a key and a JSON text a row). */
  queryRows(
    plan: Statement,
    parameters: readonly (string | null)[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly (Buffer | null)[])[]>
  /**
   * Runs statements as one transaction, sent in one write from BEGIN to COMMIT; their JSON bytes in order. Rejects with a
   * TransactionFailed, or with the signal's reason. Never sent a second time once a statement may have begun; a
   * serialization failure (`concurrent-update`) is the caller's to try again. An answer that is too large is found when the
   * transaction is committed: `outcome` says so.
   */
  runTransaction(statements: readonly BoundStatement[], options?: TransactionOptions): Promise<readonly Buffer[]>
  /**
   * A transaction whose later statements depend on earlier answers. Commits when `work` resolves, rolls back when it rejects
   * and rejects with the same; with a TransactionFailed where COMMIT failed. `work` must not wait for other connections of
   * the source.
   */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>
  explain(sql: string): Promise<readonly string[]>
  /** The events of its event triggers (reference/event-triggers). */
  readonly events: EventStore
  /**
   * run_sql (reference/metadata-operations#sql). `inspect` is called inside the transaction after the SQL ran (an empty
   * text is none) and before it commits; if it throws, everything is rolled back. SQL failure: ApiError postgres-error
   * at `path`.
   */
  runSql(
    args: {
      readonly sql: string
      readonly readOnly: boolean
      readonly noTransaction: boolean
      /** JSON of the trace, for triggers that find it as svc.tracecontext. */
      readonly trace?: string
      /** Settings of the transaction for triggers: svc.user among them; each has the admin's session variables. */
      readonly user?: readonly (readonly [string, string])[]
    },
    path: Path,
    inspect: ((transaction: OpenTransaction) => Promise<void>) | null,
  ): Promise<RunSqlResult>
  /** Ends the connections that nobody uses now; others are opened when they are needed. */
  rest(): void
  /** Called when the source was lost; queries then fail until it comes back by itself. */
  close(): Promise<void>
}

/** A transaction on a source that is not committed yet: looks at the database as it is in there, and changes it. */
export interface OpenTransaction
  extends Pick<SourceConnection, 'readEnum' | 'readFunctions' | 'readTypes' | 'checkQueries'> {
  introspect(previous: Introspection | null): Promise<Introspection>
  /**
   * Runs one statement, its slots bound as text; rows come as text. Throws ApiError postgres-error at `path`; the
   * transaction cannot be committed then.
   */
  run(
    statement: { readonly text: string; readonly slots: readonly (string | null)[] },
    path: Path,
  ): Promise<readonly (readonly (string | null)[])[]>
  /** The database's name of this transaction, by which others can ask how it ended. */
  id(): Promise<string>
  /** Which database it changes, and who does so: two sources may name the same one in different words. */
  place(): Promise<DatabasePlace>
  /** How another transaction ended; `unknown`: that is too long ago. */
  outcomeOf(transaction: string): Promise<'committed' | 'aborted' | 'in progress' | 'unknown'>
  /** Has changes of tables captured as events, or no longer. Throws ApiError at `path`, as `run` does. */
  changeCapture(change: CaptureChange, options: CaptureOptions, path: Path): Promise<void>
}

/** Equal texts of `database` are one database. */
export interface DatabasePlace {
  readonly database: string
  readonly role: string
}

export type RunSqlResult =
  | { readonly result_type: 'TuplesOk'; readonly result: readonly (readonly string[])[] }
  | { readonly result_type: 'CommandOk'; readonly result: null }

/** A source that cannot be reached; the message is what get_inconsistent_metadata shows as `message`. */
export class SourceUnavailable extends Error {}

/** An answer that was not read since it has more bytes than it may. */
export class AnswerTooLarge extends Error {
  readonly bytes: number

  constructor(bytes: number) {
    super(`the answer has ${bytes} bytes`)
    this.bytes = bytes
  }
}

import type { Json } from '@svc/schema'
import type { Path } from '../errors.ts'
import type { DatabaseType, QualifiedName } from '../ir/index.ts'
import type { Session } from '../session.ts'
import type {
  DatabaseFunction,
  DatabaseTable,
  EnumValues,
  Introspection,
  QueryDefinition,
  QueryVerdict,
  Trackables,
} from './database-objects.ts'
import type { CaptureChange, CaptureOptions, EventStore } from './event-store.ts'
import type { Statement } from './statements.ts'
import type { WriteOptions, WriteProgram } from './writes.ts'

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

/** Whom a statement is run for, where a database shows that in its bills or logs. */
export interface Caller {
  readonly role: string
  readonly operationName: string | null
}

/** What a statement would cost. */
export interface DryRun {
  /** A text of digits. */
  readonly totalBytesProcessed: string
}

/** A script of an administrator, and what its transaction finds of the request. */
export interface SqlScript {
  readonly sql: string
  readonly readOnly: boolean
  readonly noTransaction: boolean
  /** JSON of the trace, for triggers. */
  readonly trace?: string
  /** Triggers find its variables; absent: they find the admin's role. */
  readonly session?: Session
}

/**
 * A connection to a source's database. Every backend connects, introspects and answers queries; the optional members
 * are parts that a backend may lack, and what needs an absent part is no operation of its kinds (`SourceKind.has`) or
 * is refused.
 */
export interface SourceConnection {
  connections(): ConnectionCounts
  /** Whether the database answers at all. Rejects where it does not. */
  ping(): Promise<void>
  /**
   * Reads the catalogue. With `previous`, only tables of which something was written since are read again, and the
   * result is `previous` only where nothing at all was written, of functions and types neither; with `only`, only those
   * tables are read (those that do not exist are removed from the result; `previous`: they are unchanged).
   */
  introspect(previous: Introspection | null, only?: readonly QualifiedName[]): Promise<Introspection>
  /**
   * Runs a compiled query and returns the JSON bytes unparsed. `plan` identifies the statement for naming and cost. A
   * large answer of more than `most` bytes is not read: AnswerTooLarge.
   */
  query(
    plan: Statement,
    parameters: readonly (string | null)[],
    signal?: AbortSignal,
    most?: number,
    caller?: Caller,
  ): Promise<Buffer>
  /**
   * Runs a statement and returns all its rows, each column as bytes (batched subscriptions: a key and a JSON text a
   * row).
   */
  queryRows(
    plan: Statement,
    parameters: readonly (string | null)[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly (Buffer | null)[])[]>
  /** How the database would run a statement, a line each. */
  explain(sql: string): Promise<readonly string[]>
  /** Ends the connections that are not in use; new ones are opened when they are needed. */
  rest(): void
  /** Called when the source was lost; queries then fail until it recovers by itself. */
  close(): Promise<void>

  /**
   * Runs programs of this backend's in one transaction, in their order; the JSON bytes of each. Rejects with an ApiError at the
   * place of what is wrong, with AnswerTooLarge where the transaction may be committed, or with the signal's reason; nothing is
   * written in all cases but the second. Never run a second time once a statement may have begun; a serialization failure
   * (`concurrent-update`) is the caller's to try again. Absent: nothing is written.
   */
  runWrites?(programs: readonly WriteProgram[], options: WriteOptions): Promise<readonly Buffer[]>
  /**
   * run_sql (reference/metadata-operations#sql). `inspect` is called inside the transaction after the SQL ran and before it
   * commits; if it throws, everything is rolled back. It is null where `openTransaction` is absent. Rejects with an ApiError at
   * `path`, whose code is the database's own.
   */
  runSql?(script: SqlScript, path: Path, inspect: Inspect | null): Promise<RunSqlResult>
  /**
   * Opens a transaction that is committed once `work` resolves, and rolled back where that rejects. Absent: SQL runs outside of
   * transactions, metadata does not follow it, and nothing that metadata says has an effect on the database.
   */
  openTransaction?(path: Path, work: Inspect): Promise<void>
  /** The events of its event triggers (reference/event-triggers). `OpenTransaction.changeCapture` belongs to it. */
  readonly events?: EventStore
  /**
   * Returns how far the database is, read over a connection of its own. Rejects where it does not answer before
   * `signal` aborts. `understands`: a statement that it must be able to parse. Absent: it has no replicas that could be
   * read.
   */
  replication?(signal: AbortSignal, understands?: string): Promise<Replication>
  /**
   * Runs a script that changes nothing over a new connection (health checks). The database ends a statement after `limit`
   * milliseconds, when no caller waits any more. Rejects with an ApiError, or the reason of `signal`.
   */
  check?(script: string, limit: number, signal: AbortSignal): Promise<void>
  /** The rows of a table as an enum's values; what the database refuses is a value too. Rejects when it cannot be reached. */
  readEnum?(table: DatabaseTable): Promise<EnumValues>
  /** Returns the functions of these names, in the order of the names; an empty list where there is none. */
  readFunctions?(names: readonly QualifiedName[]): Promise<readonly (readonly DatabaseFunction[])[]>
  /** What metadata names by hand. Absent: all tables, and no functions. */
  readTrackables?(): Promise<Trackables>
  /**
   * Returns the types of these names as SQL writes them, in the order of the names; null where there is none. Absent: a
   * name means what `TypeSystem.typeOfScalar` says.
   */
  readTypes?(names: readonly string[]): Promise<readonly (DatabaseType | null)[]>
  /**
   * Returns what the database says of native queries, in their order. `typeOf`: the type that an argument is declared
   * with. Absent: they are not checked before they run.
   */
  checkQueries?(
    queries: readonly QueryDefinition[],
    typeOf: (name: string) => DatabaseType | null,
  ): Promise<readonly QueryVerdict[]>
  /** What a statement would cost. It is not run. Absent: the database bills nothing. */
  dryRun?(plan: Statement, parameters: readonly (string | null)[]): Promise<DryRun>
  /** All tables with their columns, as `runSql` returns rows (database_inspection). */
  inspectDatabase?(path: Path): Promise<RunSqlResult>
}

/** What is done in a transaction before it commits. */
export type Inspect = (transaction: OpenTransaction) => Promise<void>

/** A transaction on a source that is not committed yet: reads the database as it is in there, and changes it. */
export interface OpenTransaction
  extends Pick<SourceConnection, 'readEnum' | 'readFunctions' | 'readTypes' | 'checkQueries'> {
  introspect(previous: Introspection | null): Promise<Introspection>
  /**
   * Runs one statement, its slots bound as text; rows come as text. Throws an ApiError at `path`; the transaction cannot be
   * committed then.
   */
  run(
    statement: { readonly text: string; readonly slots: readonly (string | null)[] },
    path: Path,
  ): Promise<readonly (readonly (string | null)[])[]>
  /** The database's name of this transaction, by which another connection can find out how it ended. */
  id(): Promise<string>
  /** Which database it changes, and as which user: two sources may name the same one in different words. */
  place(): Promise<DatabasePlace>
  /** How another transaction ended; `unknown`: that is too long ago, or the database keeps no record. */
  outcomeOf(transaction: string): Promise<'committed' | 'aborted' | 'in progress' | 'unknown'>
  /** A source connection whose requests run inside this transaction. Absent: they cannot run in it. */
  readonly requests?: RequestsWithin
  /** Has changes of tables captured as events, or no longer. Throws ApiError at `path`, as `run` does. */
  changeCapture?(change: CaptureChange, options: CaptureOptions, path: Path): Promise<void>
}

/**
 * Requests one after the other in a transaction that remains open: each that fails is rolled back to where it began,
 * and deferred constraints are checked at the end of each that writes.
 */
export interface RequestsWithin extends Pick<SourceConnection, 'query' | 'queryRows'> {
  runWrites: NonNullable<SourceConnection['runWrites']>
  /** Statements of an administrator. Throws ApiError at `path`, and where they end the transaction. */
  runScript(script: string, path: Path): Promise<void>
}

/** Equal texts of `database` are one database. */
export interface DatabasePlace {
  readonly database: string
  readonly role: string
}

/** Rows follow a row of column names; cells as the database's API shows them: texts, numbers, booleans, null. */
export type RunSqlResult =
  | { readonly result_type: 'TuplesOk'; readonly result: readonly (readonly Json[])[] }
  | { readonly result_type: 'CommandOk'; readonly result: null }

/** An answer that was not read since it has more bytes than it may. */
export class AnswerTooLarge extends Error {
  readonly bytes: number

  constructor(bytes: number) {
    super(`the answer has ${bytes} bytes`)
    this.bytes = bytes
  }
}

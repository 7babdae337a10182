/**
 * What a backend makes of the writes of a mutation (ir/mutation.ts), in three steps: prepared once with the operation's plan,
 * bound with each request's values, run together in one transaction of the source. What a program is only its backend knows:
 * statements that store rows in between, one statement, batches around a temporary table.
 */
import type { InsertList, Value, Write, WriteAnswer } from '../ir/index.ts'
import type { LongWork } from '../long-work.ts'
import type { Session } from '../session.ts'
import type { TraceContext } from '../tracing/index.ts'
import type { BoundStatement, CompileOptions, Statement } from './statements.ts'

export interface WriteCompiler {
  /** Prepares an update, a delete or a call. Throws an ApiError at the root path for what the database cannot do. */
  prepare(write: Write, options: CompileOptions): PreparedWrite
  /** Prepares a root field that inserts, whatever its rows. */
  prepareInserts(answer: WriteAnswer, options: CompileOptions): InsertBinder
}

export interface PreparedWrite {
  /** The bytes that it takes in memory. */
  readonly statements: readonly Statement[]
  /** Throws what is wrong with the values. */
  bind(values: RequestValues): LongWork<WriteProgram>
}

/** Binds the rows that one root field inserts, request by request; what requests have in common is cached here. */
export interface InsertBinder {
  /** At least one row. Throws what is wrong with the values, and validation-failed for more than the database takes. */
  bind(rows: InsertList, values: RequestValues): LongWork<WriteProgram>
}

/** What the values of one request are as texts of the database. All that is returned counts for what a request may have. */
export interface RequestValues {
  /** The text of a value; undefined where it may be long: `long`. */
  short(value: Value): string | null | undefined
  long(value: Value): LongWork<string | null>
  /** The text of what is no value of the request itself. */
  counted(text: string | null): string | null
  /** A list of texts as one text. */
  list(texts: readonly (string | null)[]): LongWork<string>
  /** A number that no other write of the request has: for the names of what a program stores in its transaction. */
  number(): number
  /** The same values once more, which count no more. */
  again(): RequestValues
}

/** What is run: bound, answering with one JSON text. */
export interface WriteProgram {
  /** What it sends, for the query-log. */
  readonly statements: readonly BoundStatement[]
}

export interface WriteOptions {
  /** Triggers find its variables, where the database has a place for them. */
  readonly session: Session
  /** The trace that the request belongs to; triggers find it too. Requested where it is sent. */
  readonly trace: () => TraceContext | null
  /** Its abort before COMMIT was sent rolls back, and rejects with its reason; afterwards it changes nothing. */
  readonly signal?: AbortSignal | undefined
  /** Bytes of all answers together; more is not read: AnswerTooLarge. */
  readonly most: number
}

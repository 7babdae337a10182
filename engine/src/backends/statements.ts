/** What a backend makes of IR, and what running it takes. */
import type { RootQuery, StreamQuery, Value } from '../ir/index.ts'

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

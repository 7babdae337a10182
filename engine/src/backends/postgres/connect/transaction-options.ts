import type { BoundStatement, Statement } from '../../backend.ts'

export interface TransactionOptions {
  /** Set for the transaction only (`set_config`), before its first statement: names and values. */
  readonly settings?: readonly (readonly [name: string, value: string])[]
  /** Its abort before COMMIT was sent rolls back, and rejects with its reason; afterwards it changes nothing. */
  readonly signal?: AbortSignal | undefined
  /** Bytes of all answers together; more is not read: AnswerTooLarge. */
  readonly most?: number
}

/** Statements in one transaction of the source's isolation level, on a connection of its own. */
export interface Transaction {
  /** Returns the JSON bytes. Rejects with an ApiError at the root path; the transaction can then only be rolled back. */
  query(plan: Statement, parameters: readonly (string | null)[]): Promise<Buffer>
  /** Sends statements in one write. Rejects with a TransactionFailed, which has the index of the statement. */
  queryAll(statements: readonly BoundStatement[]): Promise<readonly Buffer[]>
  /** Returns all rows, each column as bytes. */
  queryRows(plan: Statement, parameters: readonly (string | null)[]): Promise<readonly (readonly (Buffer | null)[])[]>
}

/** How a transaction that failed ended. `unknown`: the connection was lost while it was committed. */
export type TransactionOutcome = 'rolled-back' | 'committed' | 'unknown'

/** A transaction that failed; `cause` is the ApiError, at the root path, or AnswerTooLarge. */
export class TransactionFailed extends Error {
  /** The index of the statement in its list, or null where COMMIT, the settings or the connection are at fault. */
  readonly index: number | null
  readonly outcome: TransactionOutcome

  constructor(index: number | null, outcome: TransactionOutcome, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.index = index
    this.outcome = outcome
  }
}

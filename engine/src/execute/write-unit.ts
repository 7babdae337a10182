import {
  AnswerTooLarge,
  type Backend,
  type BoundStatement,
  type SourceConnection,
  type Statement,
  TransactionFailed,
} from '../backends/index.ts'
import { ApiError, type Path } from '../errors.ts'
import type { InputValidation } from '../model/index.ts'
import { type Session, userSettings } from '../session.ts'
import { type TraceContext, traceJson } from '../tracing/index.ts'
import { type Allowance, check } from './allowance.ts'

/** What one root field does in a transaction, ready to be sent. */
export interface WriteUnit {
  readonly source: string
  readonly statements: readonly UnitStatement[]
  /** The same row by row, where it is one statement for many: which says where an error is. */
  readonly apart?: () => readonly UnitStatement[]
  /** Who is asked first whether it may be written. */
  readonly validations?: readonly Validation[]
  /** Its JSON, of the answers of its statements. */
  answer(results: readonly Buffer[]): readonly Buffer[]
}

/** What a webhook is asked about. */
export interface Validation {
  readonly by: InputValidation
  readonly input: unknown
}

export interface UnitStatement {
  readonly bound: BoundStatement
  /** Where its errors are. */
  readonly path: Path
  readonly empty: string | null
}

/** The trace that the request belongs to; null of a request that has none. */
export type TraceOf = () => TraceContext | null

export interface WriteOptions {
  readonly connection: SourceConnection
  readonly backend: Backend
  readonly session: Session
  /** Asked for only where something is written. */
  readonly trace?: TraceOf
  readonly answerSize: Allowance
  readonly signal?: AbortSignal
}

/**
 * Runs root fields of one source in one transaction, in their order (reference/mutations#transactions); the answers of
 * each. Throws what the database says as §4.8 has it, permission-error for a row that its check forbids; nothing is
 * written then.
 */
export async function runUnits(
  units: readonly WriteUnit[],
  { connection, backend, session, trace, answerSize, signal }: WriteOptions,
): Promise<readonly (readonly Buffer[])[]> {
  const statements = units.flatMap((unit) => unit.statements)
  if (statements.length === 0) return units.map((unit) => unit.answer([]))
  const context = trace?.() ?? null
  const settings = [...userSettings(session), ...(context ? [['svc.tracecontext', traceJson(context)] as const] : [])]
  try {
    const results = await connection.runTransaction(
      statements.map(({ bound }) => bound),
      { settings, most: answerSize.left, ...(signal && { signal }) },
    )
    let at = 0
    return units.map((unit) => {
      const own = results.slice(at, at + unit.statements.length)
      at += unit.statements.length
      return unit.answer(own)
    })
  } catch (error) {
    if (!(error instanceof TransactionFailed)) throw error
    const failure = failureOf(error, statements, backend, answerSize)
    const failed = error.index === null ? undefined : statements[error.index]
    const isMany = units.some((unit) => unit.apart && failed && unit.statements.includes(failed))
    if (!isMany || !isOfRow(failure)) throw failure
    // nothing of it was written
    const apart = units.map(({ apart, ...unit }) => (apart ? { ...unit, statements: apart() } : unit))
    return runUnits(apart, {
      connection,
      backend,
      session,
      answerSize,
      ...(trace && { trace }),
      ...(signal && { signal }),
    })
  }
}

/** What the database says of a row, rather than of the statement, the connection or other transactions. */
const isOfRow = (failure: unknown): boolean =>
  failure instanceof ApiError && ['permission-error', 'constraint-violation', 'data-exception'].includes(failure.code)

function failureOf(
  { index, cause }: TransactionFailed,
  statements: readonly UnitStatement[],
  backend: Backend,
  answerSize: Allowance,
): unknown {
  if (cause instanceof AnswerTooLarge) check(answerSize, cause.bytes)
  const at = index === null ? undefined : statements[index]
  if (!(cause instanceof ApiError) || !at) return cause
  switch (backend.writeFailure(cause)) {
    case 'check':
      return new ApiError('permission-error', at.path, 'check constraint of an insert/update permission has failed')
    case 'empty':
      return new ApiError('not-supported', at.path, at.empty ?? 'no row was written')
    case null:
      return cause.under(at.path, cause.path.keys.length)
  }
}

/** A statement that is part of a transaction. */
export const unitStatement = (
  plan: Statement,
  parameters: readonly (string | null)[],
  path: Path,
  empty: string | null = null,
): UnitStatement => ({ bound: { plan, parameters }, path, empty })

import {
  AnswerTooLarge,
  type WriteOptions as ProgramOptions,
  type SourceConnection,
  type WriteProgram,
} from '../backends/index.ts'
import type { Path } from '../errors.ts'
import type { InputValidation } from '../model/index.ts'
import type { Session } from '../session.ts'
import type { TraceContext } from '../tracing/index.ts'
import { type Allowance, requireLeft } from './allowance.ts'

/** What one root field does in a transaction, ready to be run. */
export interface WriteUnit {
  readonly source: string
  /** Each answers with one JSON text. */
  readonly programs: readonly WriteProgram[]
  /** Where errors are that have no place of their own. */
  readonly path: Path
  /** The webhooks that are called first: they say whether it may be written. */
  readonly validations: readonly Validation[]
  /** The JSON of the field, of the answers of its programs. */
  answer(results: readonly Buffer[]): readonly Buffer[]
}

/** The rows that a webhook checks. */
export interface Validation {
  readonly by: InputValidation
  readonly input: unknown
}

/** The trace that the request belongs to; null of a request that has none. */
export type TraceOf = () => TraceContext | null

export interface WriteOptions {
  readonly connection: SourceConnection
  readonly session: Session
  /** Requested only where something is written. */
  readonly trace?: TraceOf | undefined
  readonly answerSize: Allowance
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs root fields of one source in one transaction, in their order (reference/mutations#transactions); the answers of
 * each. Throws as `SourceConnection.runWrites` does, and what an answer is refused with that is too large.
 */
export async function runUnits(
  units: readonly WriteUnit[],
  { connection, session, trace, answerSize, signal }: WriteOptions,
): Promise<readonly (readonly Buffer[])[]> {
  const programs = units.flatMap((unit) => unit.programs)
  const options = { session, trace: trace ?? untraced, most: answerSize.left, signal }
  try {
    const results = programs.length > 0 ? await run(connection, programs, options) : []
    let at = 0
    return units.map((unit) => {
      const from = at
      at += unit.programs.length
      return unit.answer(results.slice(from, at))
    })
  } catch (error) {
    if (error instanceof AnswerTooLarge) requireLeft(answerSize, error.bytes)
    throw error
  }
}

const untraced: TraceOf = () => null

/** Runs programs. A source whose backend has made them can write. */
async function run(connection: SourceConnection, programs: readonly WriteProgram[], options: ProgramOptions) {
  if (!connection.runWrites) throw new Error('the backend makes programs that its connections do not run')
  return connection.runWrites(programs, options)
}

import { ApiError } from '../../../errors.ts'
import { userSettings } from '../../../session.ts'
import { traceJson } from '../../../tracing/index.ts'
import type { BoundStatement, WriteOptions, WriteProgram } from '../../backend.ts'
import { TransactionFailed, type TransactionOptions } from '../connect/transaction-options.ts'
import { PostgresProgram, type ProgramStatement } from './postgres-program.ts'
import { writeFailure } from './write-failure.ts'

/** Sends statements as one transaction. */
export type SendTransaction = (
  statements: readonly BoundStatement[],
  options: TransactionOptions,
) => Promise<readonly Buffer[]>

/**
 * Runs programs in one transaction, in their order (reference/mutations#transactions); the answer of each. Throws what the
 * database says as §4.8 has it, permission-error for a row that its check forbids; nothing is written then.
 */
export async function runPrograms(
  programs: readonly WriteProgram[],
  { session, trace, signal, most }: WriteOptions,
  send: SendTransaction,
): Promise<readonly Buffer[]> {
  const own = programs.map(ownProgram)
  const options = {
    settings: own.every(ignoresSession) ? [] : settingsOf(session, trace),
    most,
    ...(signal && { signal }),
  }
  try {
    return await run(own, options, send)
  } catch (error) {
    const failed = error instanceof TransactionFailed ? failedIn(own, error.index) : undefined
    const reason = reasonOf(error, failed?.statement)
    const { apart: instead = null } = failed?.program ?? {}
    if (!instead || !(reason instanceof Missed || (instead.saysWhere && isOfRow(reason)))) throw reason
    // nothing of it was written
    const apart = own.map((program) => (program.apart ? new PostgresProgram(program.apart.run()) : program))
    return await run(apart, { ...options, settings: settingsOf(session, trace) }, send).catch((later: unknown) => {
      const index = later instanceof TransactionFailed ? later.index : null
      throw reasonOf(later, failedIn(apart, index)?.statement)
    })
  }
}

const ignoresSession = ({ statements }: PostgresProgram): boolean =>
  statements.every(({ plan }) => plan.ignoresSession === true)

function settingsOf(
  session: WriteOptions['session'],
  trace: WriteOptions['trace'],
): readonly (readonly [name: string, value: string])[] {
  const settings = userSettings(session)
  return trace ? [...settings, ['svc.tracecontext', traceJson(trace)]] : settings
}

async function run(
  programs: readonly PostgresProgram[],
  options: TransactionOptions,
  send: SendTransaction,
): Promise<readonly Buffer[]> {
  const statements = programs.flatMap((program) => program.statements)
  const results = await send(statements, options)
  let end = 0
  return programs.map((program) => {
    end += program.statements.length
    return results[end - 1] ?? NULL
  })
}

const NULL = Buffer.from('null')

function ownProgram(program: WriteProgram): PostgresProgram {
  if (program instanceof PostgresProgram) return program
  throw new Error('the program was made by another backend')
}

/** The statement of this index among all of them. */
function failedIn(programs: readonly PostgresProgram[], index: number | null) {
  let left = index ?? Number.POSITIVE_INFINITY
  for (const program of programs) {
    const statement = program.statements[left]
    if (statement) return { program, statement }
    left -= program.statements.length
  }
  return undefined
}

/** What the database says of a row, rather than of the statement, the connection or other transactions. */
const isOfRow = (reason: unknown): boolean =>
  reason instanceof ApiError && ['permission-error', 'constraint-violation', 'data-exception'].includes(reason.code)

/** The answer lacks what another transaction has committed since the statement began. */
class Missed extends Error {}

function reasonOf(error: unknown, at: ProgramStatement | undefined): unknown {
  if (!(error instanceof TransactionFailed)) return error
  const { cause } = error
  if (!(cause instanceof ApiError) || !at) return cause
  switch (writeFailure(cause)) {
    case 'check':
      return new ApiError('permission-error', at.path, 'check constraint of an insert/update permission has failed')
    case 'empty':
      return new ApiError('not-supported', at.path, at.empty ?? 'no row was written')
    case 'missed':
      return new Missed(cause.message)
    case null:
      return cause.under(at.path, cause.path.keys.length)
  }
}

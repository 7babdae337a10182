import { ApiError } from '../../../errors.ts'
import { userSettings } from '../../../session.ts'
import { traceJson } from '../../../tracing/index.ts'
import type { BoundStatement, WriteOptions, WriteProgram } from '../../backend.ts'
import { isUsersCode } from '../connect/from-sql-state.ts'
import { TransactionFailed, type TransactionOptions } from '../connect/transaction-options.ts'
import type { FoundTables } from './found-tables.ts'
import { ANY_TIME } from './guard.ts'
import { PostgresProgram, type ProgramStatement } from './postgres-program.ts'
import { writeFailure } from './write-failure.ts'

/** Sends statements as one transaction. */
export type SendTransaction = (
  statements: readonly BoundStatement[],
  options: TransactionOptions,
) => Promise<readonly Buffer[]>

/**
 * Runs programs in one transaction, in their order (reference/mutations#transactions); the answer of each. Throws what
 * the database says as §4.8 has it, permission-error for a row that its check forbids; nothing is written then. Without
 * the session where nothing reads it, as far as `tables` knows; and again with it where that was known no more.
 */
export async function runPrograms(
  programs: readonly WriteProgram[],
  { session, trace, signal, most }: WriteOptions,
  send: SendTransaction,
  tables: FoundTables | null,
): Promise<readonly Buffer[]> {
  const own = programs.map(ownProgram)
  const limits = { most, signal }
  const plans = own.flatMap(({ statements }) => statements.map(({ plan }) => plan))
  const withSession = () => ({ ...limits, settings: settingsOf(session, trace) })
  if (!tables || !plans.every(({ restsOn }) => restsOn))
    return runKnown(own.map(atAnyTime), withSession(), withSession, send)
  const state = tables.state(plans)
  switch (state.kind) {
    case 'new':
      return runKnown(own.map(atAnyTime), withSession(), withSession, send)
    case 'doubtful':
    case 'refuted':
      return runKnown(own.map(inSteps), withSession(), withSession, send)
    case 'found':
      try {
        const options = { ...limits, settings: [] }
        const answers = await runKnown(own.map(foundBy(state.at)), options, withSession, send)
        tables.succeeded(plans)
        return answers
      } catch (error) {
        if (!(error instanceof Changed)) throw error
        tables.failed(plans, state.at)
        return await runKnown(own.map(inSteps), withSession(), withSession, send)
      }
  }
}

/** `withSession`: for what has to be done again by more statements. Throws Changed where nothing was written for that reason. */
async function runKnown(
  own: readonly PostgresProgram[],
  options: TransactionOptions,
  withSession: () => TransactionOptions,
  send: SendTransaction,
): Promise<readonly Buffer[]> {
  try {
    return await run(own, options, send)
  } catch (error) {
    const failed = error instanceof TransactionFailed ? failedIn(own, error.index) : undefined
    const reason = reasonOf(error, failed?.statement)
    if (reason instanceof Changed) throw reason
    // a trigger that another client has made is the first to run
    if (options.settings?.length === 0 && isUsersCode(reason)) throw new Changed(reason.message)
    const { inSteps: instead = null } = failed?.program ?? {}
    if (!instead || !(reason instanceof Missed || (instead.saysWhere && isOfRow(reason)))) throw reason
    // nothing of it was written
    const more = own.map(inSteps)
    return await run(more, withSession(), send).catch((later: unknown) => {
      const index = later instanceof TransactionFailed ? later.index : null
      throw reasonOf(later, failedIn(more, index)?.statement)
    })
  }
}

/** By more statements where there are such. */
const inSteps = (program: PostgresProgram): PostgresProgram =>
  atAnyTime(program.inSteps ? new PostgresProgram(program.inSteps.run()) : program)

/** With the time since when its tables are known. */
const foundBy =
  (time: string) =>
  (program: PostgresProgram): PostgresProgram => {
    if (!program.statements.some(({ plan }) => plan.restsOn)) return program
    const statements = program.statements.map((statement) => {
      const { restsOn } = statement.plan
      if (!restsOn) return statement
      return { ...statement, parameters: statement.parameters.with(restsOn.parameter, time) }
    })
    return new PostgresProgram(statements, program.inSteps)
  }
const atAnyTime = foundBy(ANY_TIME)

function settingsOf(
  session: WriteOptions['session'],
  trace: WriteOptions['trace'],
): readonly (readonly [name: string, value: string])[] {
  const settings = userSettings(session)
  const context = trace()
  return context ? [...settings, ['svc.tracecontext', traceJson(context)]] : settings
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

/** Its tables may have changed since they were read. */
class Changed extends Error {}

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
    case 'changed':
      return new Changed(cause.message)
    case null:
      return cause.under(at.path, cause.path.keys.length)
  }
}

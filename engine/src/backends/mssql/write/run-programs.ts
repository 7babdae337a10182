import { ApiError, Path } from '../../../errors.ts'
import { AnswerTooLarge, type WriteOptions, type WriteProgram } from '../../backend.ts'
import { queryError, writeError } from '../connect/database-error.ts'
import type { HeldTransaction } from '../connect/transaction.ts'
import { MssqlProgram, type ProgramStep } from './mssql-program.ts'

type RunTransaction = <Result>(work: (transaction: HeldTransaction) => Promise<Result>, most: number) => Promise<Result>

/**
 * Runs programs, each in a transaction of its own, in their order; the answer of each (docs/sql-server.md#mutations).
 * What was committed before one fails remains, also where the answer of that one is too large. Throws what the database
 * says of values and constraints, permission-error for a row that its check forbids.
 */
export async function runPrograms(
  programs: readonly WriteProgram[],
  { signal, most }: WriteOptions,
  transaction: RunTransaction,
): Promise<readonly Buffer[]> {
  const answers: Buffer[] = []
  let bytes = 0
  const checked = (json: string): Buffer => {
    const answer = Buffer.from(json)
    bytes += answer.length
    if (bytes > most) throw new AnswerTooLarge(bytes)
    return answer
  }
  for (const program of programs) {
    const { statements, known } = ownProgram(program)
    const run = async (held: HeldTransaction) => checked(await runSteps(statements, held, signal))
    answers.push(statements.length === 0 ? checked(known) : await transaction(run, most - bytes))
  }
  return answers
}

function ownProgram(program: WriteProgram): MssqlProgram {
  if (program instanceof MssqlProgram) return program
  throw new Error('the program was made by another backend')
}

async function runSteps(steps: readonly ProgramStep[], held: HeldTransaction, signal?: AbortSignal): Promise<string> {
  let json = 'null'
  for (const step of steps) {
    const [first, second] = await runStep(step, held, signal)
    if (step.kind === 'duplicates' && Number(first) > Number(second))
      throw new ApiError('unexpected', Path.root, 'two of the objects match the same row', { status: 500 })
    if (step.kind !== 'answer') continue
    if (Number(second) !== 0)
      throw new ApiError('permission-error', Path.root, 'check constraint of an insert/update permission has failed')
    json = String(first ?? 'null')
  }
  signal?.throwIfAborted()
  return json
}

/** The first row that it returns. */
async function runStep(
  { kind, plan: { text, slots }, parameters }: ProgramStep,
  held: HeldTransaction,
  signal?: AbortSignal,
): Promise<readonly unknown[]> {
  try {
    const sets = await (kind === 'batch' ? held.batch(text, signal) : held.run({ text, parameters, slots }, signal))
    return sets[0]?.rows[0] ?? []
  } catch (error) {
    signal?.throwIfAborted()
    throw kind === 'write' ? writeError(error, text) : queryError(error, text)
  }
}

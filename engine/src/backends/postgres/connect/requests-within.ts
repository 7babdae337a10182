import { ApiError, Path } from '../../../errors.ts'
import type { RequestsWithin, SourceConnection } from '../../backend.ts'
import { runPrograms, type SendTransaction } from '../write/run-programs.ts'
import { fromSqlState, scriptError } from './from-sql-state.ts'
import { askRows, runScript } from './open-client.ts'
import type { PreparedNames } from './prepared-names.ts'
import type { TextRow } from './statements.ts'
import { TransactionFailed } from './transaction-options.ts'
import type { SourceClient } from './wire.ts'

type Parameters = readonly (string | null)[]

/** Runs requests in the transaction that is open on `client`, one after the other. */
export function requestsWithin(client: SourceClient, names: PreparedNames): RequestsWithin {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
  const ask = (text: string, parameters: Parameters): Promise<readonly TextRow[]> =>
    askRows(client, { text, name: null, parameters }, names).catch((error: unknown) => {
      throw fromSqlState(error, Path.root, { text, parameters, prepared: false })
    })
  const guarded = <Result>(work: () => Promise<Result>): Promise<Result> =>
    inTurn(async () => {
      await runScript(client, 'SAVEPOINT svc_request')
      try {
        const result = await work()
        await runScript(client, 'RELEASE svc_request')
        return result
      } catch (error) {
        await runScript(client, 'ROLLBACK TO svc_request')
        throw error
      }
    })
  const send: SendTransaction = async (statements, { settings = [] }) => {
    for (const setting of settings) await ask('SELECT pg_catalog.set_config($1, $2, true)', setting)
    const answers: Buffer[] = []
    for (const [index, { plan, parameters }] of statements.entries())
      try {
        answers.push(jsonOf(await ask(plan.text, parameters)))
      } catch (error) {
        throw new TransactionFailed(index, 'rolled-back', error)
      }
    try {
      await ask('SET CONSTRAINTS ALL IMMEDIATE', [])
    } catch (error) {
      throw new TransactionFailed(null, 'rolled-back', error)
    }
    return answers
  }
  const runWrites: NonNullable<SourceConnection['runWrites']> = (programs, options) =>
    runPrograms(programs, options, (statements, settings) => guarded(() => send(statements, settings)), null)
  return {
    query: (plan, parameters) => guarded(async () => jsonOf(await ask(plan.text, parameters))),
    queryRows: (plan, parameters) =>
      guarded(async () =>
        (await ask(plan.text, parameters)).map((row) => row.map((cell) => (cell === null ? null : Buffer.from(cell)))),
      ),
    runWrites,
    runScript: (script, path) =>
      inTurn(async () => {
        const current = async () => (await ask('SELECT pg_catalog.txid_current()', []))[0]?.[0]
        const begun = await current()
        await runScript(client, script).catch((error: unknown) => {
          throw scriptError(error, path, script)
        })
        const isOpen = client.getTransactionStatus() === 'T' && (await current()) === begun
        if (!isOpen) throw new ApiError('bad-request', path, 'the script ends the transaction that it runs in')
      }),
  }
}

const jsonOf = ([row]: readonly TextRow[]): Buffer => Buffer.from(row?.[0] ?? 'null')

import type { Path } from '../../../errors.ts'
import type { OpenTransaction, RunSqlResult, SourceConnection } from '../../backend.ts'
import { changeCapture } from '../events/change-capture.ts'
import { introspect, introspectWithin } from '../introspect/introspect.ts'
import { readEnum } from '../introspect/read-enum.ts'
import { readFunctions } from '../introspect/read-functions.ts'
import { readTypes } from '../introspect/read-types.ts'
import { askOver } from './ask-over.ts'
import { checkQueries } from './check-queries.ts'
import type { Connection } from './client-pool.ts'
import { scriptError } from './from-sql-state.ts'
import { runScript } from './open-client.ts'
import { PreparedNames } from './prepared-names.ts'
import { runReadOnly } from './run-read-only.ts'
import { splitScript } from './split-script.ts'
import { RowsStatement, type ScriptResult } from './statements.ts'
import { databasePlace, transactionId, transactionOutcome } from './transaction-outcome.ts'

type RunSql = SourceConnection['runSql']

/**
 * run_sql (reference/metadata-operations#sql). A script may leave the connection in any state; without one (`sql` is empty) it
 * is as good as before where nothing is thrown.
 */
export async function runSql(
  { client, names: known }: Pick<Connection, 'client' | 'names'>,
  named: boolean,
  args: Parameters<RunSql>[0],
  path: Path,
  inspect: Parameters<RunSql>[2],
): Promise<RunSqlResult> {
  const send = (text: string) =>
    runScript(client, text).catch((error: unknown) => {
      throw scriptError(error, path, args.sql)
    })
  // a script may let go of what is prepared
  const names = args.sql === '' ? known : new PreparedNames()
  const run: OpenTransaction['run'] = (statement, at) =>
    new Promise<readonly (readonly (string | null)[])[]>((resolve, reject) =>
      client.run(
        new RowsStatement({ text: statement.text, name: null, parameters: statement.slots }, names, {
          resolve,
          reject,
        }),
      ),
    ).catch((error: unknown) => {
      throw scriptError(error, at, statement.text)
    })
  if (args.readOnly)
    return shown(
      await runReadOnly(client, args.sql).catch((error: unknown) => {
        throw scriptError(error, path, args.sql)
      }),
    )
  const { pooled } = client.values
  if (!args.noTransaction) await send('BEGIN READ WRITE')
  // behind a pooler others would find it there
  else if (!pooled) await send('SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE')
  if (!args.noTransaction && pooled?.settings) await send(pooled.settings.text)
  // whoever may run SQL is the admin: events that it causes say so (reference/event-triggers#in-the-database)
  let begun: string | null = null
  if (!args.noTransaction && args.sql !== '') {
    const settings = [...(args.user ?? [adminUser]), ['svc.tracecontext', args.trace ?? ''] as const]
    const calls = settings.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, true)`)
    const [row] = await run(
      {
        text: `SELECT ${inspect ? 'pg_catalog.txid_current()' : 'NULL'}::text, ${calls.join(', ')}`,
        slots: settings.flat(),
      },
      path,
    )
    begun = row?.[0] ?? null
  }
  // when anything below throws, the connection is closed and the server rolls back
  const nothing: ScriptResult = { columns: null, rows: [] }
  const sendAll = () => (args.noTransaction ? sendEach(send, args.sql) : send(args.sql))
  const result = args.sql === '' ? nothing : await sendAll()
  if (inspect) {
    const ask = askOver(client, names, named && args.sql === '')
    // what the database refuses here would end the whole transaction
    const guarded = async <T extends { readonly status: string }>(read: () => Promise<T>): Promise<T> => {
      if (client.getTransactionStatus() !== 'T') return read()
      await send('SAVEPOINT svc_inspect')
      const found = await read()
      const failed = found.status === 'failed' || found.status === 'refused'
      await send(failed ? 'ROLLBACK TO svc_inspect' : 'RELEASE svc_inspect')
      return found
    }
    await inspect({
      introspect: (previous) =>
        previous && begun !== null ? introspectWithin(ask, previous, begun) : introspect(ask, previous),
      readEnum: (table) => guarded(() => readEnum(ask, table)),
      readFunctions: (functions) => readFunctions(ask, functions),
      readTypes: (types) => readTypes(ask, types),
      checkQueries: (queries, typeOf) => checkQueries(client, ask, queries, typeOf, guarded),
      run,
      id: () => transactionId(run),
      place: () => databasePlace(run),
      outcomeOf: (transaction) => transactionOutcome(run, transaction),
      changeCapture: (change, options, at) => changeCapture((statement) => run(statement, at), change, options),
    })
  }
  if (!args.noTransaction) await send('COMMIT')
  // a pooler gives what the script has set to whoever comes next
  if (pooled) await send('RESET ALL')
  return shown(result)
}

/** Each statement a message of its own, so that none finds itself in a transaction with the others. */
async function sendEach(send: (text: string) => Promise<ScriptResult>, script: string): Promise<ScriptResult> {
  let last: ScriptResult = { columns: null, rows: [] }
  for (const statement of splitScript(script)) last = await send(statement)
  return last
}

/** All cells as text, NULL as the word (reference/row-api). */
function shown({ columns, rows }: ScriptResult): RunSqlResult {
  if (columns === null) return { result_type: 'CommandOk', result: null }
  return { result_type: 'TuplesOk', result: [columns, ...rows.map((row) => row.map((cell) => cell ?? 'NULL'))] }
}

const adminUser = ['svc.user', '{"x-svc-role": "admin"}'] as const

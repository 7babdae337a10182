import { Path } from '../../../errors.ts'
import { userSettings } from '../../../session.ts'
import type { Inspect, OpenTransaction, RunSqlResult, SqlScript } from '../../backend.ts'
import type { TextStatement } from '../../event-store.ts'
import { changeCapture } from '../events/change-capture.ts'
import { introspect, introspectWithin } from '../introspect/introspect.ts'
import { readEnum } from '../introspect/read-enum.ts'
import { readFunctions } from '../introspect/read-functions.ts'
import { readTypes } from '../introspect/read-types.ts'
import { checkQueries } from './check-queries.ts'
import type { Connection } from './client-pool.ts'
import { scriptError } from './from-sql-state.ts'
import { askRows, runScript } from './open-client.ts'
import { pipelinedRows, RefusedAt } from './pipelined-rows.ts'
import { PreparedNames } from './prepared-names.ts'
import { queryOver } from './query-over.ts'
import { requestsWithin } from './requests-within.ts'
import { preparedHere } from './reset-session.ts'
import { runReadOnly } from './run-read-only.ts'
import { splitScript } from './split-script.ts'
import type { ScriptResult, TextRow } from './statements.ts'
import type { SourceClient } from './wire.ts'

type RunAll = (statements: readonly TextStatement[], at: Path) => Promise<readonly (readonly TextRow[])[]>

/**
 * Begins what `runSql` goes on with (`script` null: a transaction without one), and finds out whether the connection
 * answers: nothing has happened that could not be done again. Returns the number of the transaction where a script is
 * to be compared with what was before.
 */
export async function beginScript(
  client: SourceClient,
  script: SqlScript | null,
  isInspected: boolean,
): Promise<string | null> {
  if (script?.readOnly || script?.noTransaction) {
    await runScript(client, 'SELECT 1')
    return null
  }
  const { pooled } = client.values
  const begin = [{ text: 'BEGIN READ WRITE', slots: [] }]
  if (pooled?.settings) begin.push({ text: pooled.settings.text, slots: [] })
  if (script === null || script.sql === '') {
    await runPipelined(client, begin)
    return null
  }
  // only the admin may run SQL: events that it causes say so (reference/event-triggers#in-the-database)
  const { session, trace } = script
  const user = session ? userSettings(session) : [adminUser]
  const settings = [...user, ['svc.tracecontext', trace ?? ''] as const]
  const calls = settings.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, true)`)
  const text = `SELECT ${isInspected ? 'pg_catalog.txid_current()' : 'NULL'}::text, ${calls.join(', ')}`
  const rows = await runPipelined(client, [...begin, { text, slots: settings.flat() }])
  return rows.at(-1)?.[0]?.[0] ?? null
}

/** Runs statements in one round trip. Rejects with the error of the first that is refused. */
const runPipelined = (client: SourceClient, statements: readonly TextStatement[]) =>
  pipelinedRows(client, statements).catch((error: unknown) => {
    throw error instanceof RefusedAt ? error.cause : error
  })

/**
 * run_sql (reference/metadata-operations#sql), once `beginScript` has said what `begun` is. A script may leave the
 * connection in any state; without one (`sql` is empty) it is unchanged where nothing is thrown.
 */
export async function runSql(
  { client, names: known }: Pick<Connection, 'client' | 'names'>,
  begun: string | null,
  named: boolean,
  script: SqlScript | null,
  path: Path,
  inspect: Inspect | null,
): Promise<RunSqlResult> {
  const args = script ?? noScript
  const send = (text: string) =>
    runScript(client, text).catch((error: unknown) => {
      throw scriptError(error, path, args.sql)
    })
  const { pooled } = client.values
  const isOwn = args.sql === '' || pooled === null
  const names = isOwn ? known : new PreparedNames()
  const run: OpenTransaction['run'] = (statement, at) =>
    askRows(client, { text: statement.text, name: null, parameters: statement.slots }, names).catch(
      (error: unknown) => {
        throw scriptError(error, at, statement.text)
      },
    )
  const runAll: RunAll = (statements, at) =>
    pipelinedRows(client, statements).catch((error: unknown) => {
      throw error instanceof RefusedAt ? scriptError(error.cause, at, statements[error.place]?.text ?? '') : error
    })
  if (args.readOnly)
    return shown(
      await runReadOnly(client, args.sql).catch((error: unknown) => {
        throw scriptError(error, path, args.sql)
      }),
    )
  // behind a pooler other clients would find it there
  if (args.noTransaction && !pooled) await send('SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE')
  // when anything below throws, the connection is closed and the server rolls back
  const nothing: ScriptResult = { columns: null, rows: [] }
  const sendAll = () => (args.noTransaction ? sendEach(send, args.sql) : send(args.sql))
  const result = args.sql === '' ? nothing : await sendAll()
  if (inspect) {
    // a script may deallocate what is prepared
    const held = isOwn && named && args.sql !== '' ? await preparedHere(client) : null
    if (held) names.keepOnly(held.own)
    const ask = queryOver(client, names, named && isOwn && !held?.hasOthers)
    // what the database refuses here would end the whole transaction
    const guarded = async <T extends { readonly status: string }>(read: () => Promise<T>): Promise<T> => {
      if (client.getTransactionStatus() !== 'T') return read()
      await send('SAVEPOINT svc_inspect')
      const found = await read()
      const failed = found.status === 'failed' || found.status === 'refused'
      await send(failed ? 'ROLLBACK TO svc_inspect' : 'RELEASE svc_inspect')
      return found
    }
    // a script may have begun another one
    let own: string | null = null
    await inspect({
      introspect: (previous) =>
        previous && begun !== null ? introspectWithin(ask, previous, begun) : introspect(ask, previous),
      readEnum: (table) => guarded(() => readEnum(ask, table)),
      readFunctions: (functions) => readFunctions(ask, functions),
      readTypes: (types) => readTypes(ask, types),
      checkQueries: (queries, typeOf) => checkQueries(client, ask, queries, typeOf, guarded),
      run,
      requests: requestsWithin(client, names),
      id: async () => {
        own ??= await transactionId(run)
        return own
      },
      place: () => databasePlace(run),
      outcomeOf: (transaction) => transactionOutcome(run, transaction),
      async changeCapture(change, options, at) {
        own = await changeCapture((statements) => runAll(statements, at), change, options)
      },
    })
  }
  if (!args.noTransaction) await send('COMMIT')
  // behind a pooler, the next client would get what the script has set
  if (pooled) await send('RESET ALL')
  return shown(result)
}

/** Sends each statement in a message of its own, so that none is in a transaction with the others. */
async function sendEach(send: (text: string) => Promise<ScriptResult>, script: string): Promise<ScriptResult> {
  let last: ScriptResult = { columns: null, rows: [] }
  for (const statement of splitScript(script)) last = await send(statement)
  return last
}

/** Returns the result with all cells as text, NULL as the word (reference/row-api). */
function shown({ columns, rows }: ScriptResult): RunSqlResult {
  if (columns === null) return { result_type: 'CommandOk', result: null }
  return { result_type: 'TuplesOk', result: [columns, ...rows.map((row) => row.map((cell) => cell ?? 'NULL'))] }
}

const noScript: SqlScript = { sql: '', readOnly: false, noTransaction: false }

const adminUser = ['svc.user', '{"x-svc-role": "admin"}'] as const

type Run = OpenTransaction['run']

/** Returns the transaction's number, which no other one of the cluster has. */
async function transactionId(run: Run): Promise<string> {
  const [row] = await run({ text: 'SELECT pg_catalog.txid_current()::text', slots: [] }, Path.root)
  return row?.[0] ?? ''
}

/** Returns how a transaction ended. NULL: its record is gone; a number of the future belongs to another cluster. */
async function transactionOutcome(run: Run, transaction: string): ReturnType<OpenTransaction['outcomeOf']> {
  const text = `
    SELECT CASE WHEN $1::text::bigint < pg_catalog.txid_current()
      THEN pg_catalog.txid_status($1::text::bigint) END`
  const [row] = await run({ text, slots: [transaction] }, Path.root)
  const [status] = row ?? []
  return status === 'committed' || status === 'aborted' || status === 'in progress' ? status : 'unknown'
}

/** Returns the cluster's own number and that of the database in it, whatever host or pooler leads there. */
async function databasePlace(run: Run): ReturnType<OpenTransaction['place']> {
  const text = `
    SELECT (SELECT system_identifier FROM pg_catalog.pg_control_system())::text || '/' || oid::text, current_user::text
    FROM pg_catalog.pg_database WHERE datname = current_database()`
  const [row] = await run({ text, slots: [] }, Path.root)
  return { database: row?.[0] ?? '', role: row?.[1] ?? '' }
}

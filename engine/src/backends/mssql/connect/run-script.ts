import type { Path } from '../../../errors.ts'
import type { Inspect, RunSqlResult, SqlScript } from '../../backend.ts'
import { cellJson } from './cell-json.ts'
import { scriptError } from './database-error.ts'
import type { Client } from './load-client.ts'
import { openedTransaction } from './opened-transaction.ts'
import type { ResultSet } from './run-request.ts'
import type { SourcePool } from './source-pool.ts'

/**
 * run_sql (docs/sql-server.md#run_sql): one batch in a transaction, on a connection of its own, which it may leave in
 * any state. What is to be read only is rolled back.
 */
export async function runScript(
  client: Client,
  pool: SourcePool,
  { sql, readOnly }: SqlScript,
  path: Path,
  inspect: Inspect | null,
): Promise<RunSqlResult> {
  let result: RunSqlResult = nothing
  try {
    await pool.withConnection((own) =>
      own.transaction(async (transaction) => {
        result = shown(await transaction.batch(sql), client)
        await inspect?.(openedTransaction(transaction))
        if (readOnly) throw new ReadOnly()
      }),
    )
  } catch (error) {
    if (!(error instanceof ReadOnly)) throw scriptError(error, sql, path)
  }
  return result
}

class ReadOnly extends Error {}

const nothing: RunSqlResult = { result_type: 'CommandOk', result: null }

/** The last rows that the script returned; an empty SELECT does not count. */
function shown(sets: readonly ResultSet[], client: Client): RunSqlResult {
  const last = sets.at(-1)
  if (!last || last.rows.length === 0) return nothing
  const { columns, rows } = last
  const cells = rows.map((row) => columns.map((column, i) => cellJson(row[i], column, client)))
  return { result_type: 'TuplesOk', result: [columns.map(({ name }) => name), ...cells] }
}

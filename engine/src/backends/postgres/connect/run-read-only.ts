import { join, literal, print, sql } from '../../sql.ts'
import { runScript } from './open-client.ts'
import { splitScript } from './split-script.ts'
import { type ScriptResult, SingleStatement } from './statements.ts'
import type { SourceClient } from './wire.ts'

/**
 * Runs a script that changes nothing, whatever it says: each statement is sent by itself, in a transaction that is read
 * only and, since it has read the database, cannot become anything else. `settings` apply to each statement, unless the
 * script sets them. Rejects with the error of pg; the connection is to be ended then.
 */
export async function runReadOnly(
  client: SourceClient,
  script: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ScriptResult> {
  const values = Object.entries({ ...settings, transaction_read_only: 'on' })
  const calls = values.map(([name, value]) => sql`pg_catalog.set_config(${literal(name)}, ${literal(value)}, true)`)
  const set = print(sql`SELECT ${join(calls, sql`, `)}`).text
  let last: ScriptResult = { columns: null, rows: [] }
  for (const statement of splitScript(script)) {
    if (client.getTransactionStatus() === 'I') await runScript(client, 'BEGIN READ ONLY')
    await runScript(client, set)
    last = await new Promise<ScriptResult>((resolve, reject) =>
      client.run(new SingleStatement(statement, { resolve, reject })),
    )
  }
  if (client.getTransactionStatus() !== 'I') await runScript(client, 'COMMIT')
  if (client.values.pooled) await runScript(client, 'RESET ALL')
  return last
}

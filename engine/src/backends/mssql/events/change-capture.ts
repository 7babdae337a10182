import type { Path } from '../../../errors.ts'
import { type CaptureChange, capturedOperations } from '../../event-store.ts'
import { print, sql, tableName } from '../../sql.ts'
import { scriptError } from '../connect/database-error.ts'
import type { HeldTransaction } from '../connect/transaction.ts'
import { mssqlDialect } from '../dialect.ts'
import { captureName, captureTrigger } from './capture-trigger.ts'
import { dropEventTables, prepareEventTables, readVersion } from './catalogue.ts'

/**
 * Creates, replaces and drops a source's triggers, inside the caller's transaction (docs/sql-server.md#events). A
 * trigger that exists is made again. Throws an ApiError at `path`.
 */
export async function changeCapture(
  transaction: HeldTransaction,
  { drop, archive, forget, install }: CaptureChange,
  path: Path,
): Promise<void> {
  const batch = async (text: string) => {
    try {
      return await transaction.batch(text)
    } catch (error) {
      throw scriptError(error, text, path)
    }
  }
  if (install.length > 0)
    await prepareEventTables(transaction, path).catch((error: unknown) => {
      throw scriptError(error, 'svc_catalog', path)
    })
  const leaving = new Set([
    ...drop.flatMap(({ trigger, operations }) => operations.map((one) => captureName(trigger, one))),
    ...install.flatMap(({ trigger }) => capturedOperations.map((one) => captureName(trigger, one))),
  ])
  const [found] = await batch(askTriggers)
  const there = (found?.rows ?? []).map(([schema, name]) => ({ schema: String(schema), name: String(name) }))
  for (const trigger of there)
    if (leaving.has(trigger.name)) await batch(print(sql`DROP TRIGGER ${tableName(trigger)}`, mssqlDialect).text)
  if (archive.length > 0 && (await readVersion(transaction)) !== null)
    for (const text of archiving) await transaction.run({ text, parameters: [JSON.stringify(archive)] })
  for (const capture of install) {
    const key = capture.key ?? []
    for (const operation of capturedOperations)
      if (capture.operations[operation]) await batch(captureTrigger(capture, operation, key))
  }
  const isUsed = install.length > 0 || there.some(({ name }) => !leaving.has(name))
  if (forget && !isUsed) await dropEventTables(transaction)
}

const askTriggers = `SELECT [s].[name] AS [schema], [o].[name] AS [name] FROM [sys].[objects] AS [o]
INNER JOIN [sys].[schemas] AS [s] ON [s].[schema_id] = [o].[schema_id]
WHERE [o].[type] = 'TR' AND [o].[name] LIKE N'notify[_]svc[_]%'`

const named = 'SELECT [value] FROM OPENJSON(@p1)'
const archiving: readonly string[] = [
  `UPDATE [svc_catalog].[event_log] SET [archived] = 1 WHERE [archived] = 0 AND [trigger_name] IN (${named})`,
  `DELETE FROM [svc_catalog].[svc_event_log_cleanups]
WHERE [status] IN (N'scheduled', N'paused') AND [trigger_name] IN (${named})`,
]

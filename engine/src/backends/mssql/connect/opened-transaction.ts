import { randomUUID } from 'node:crypto'
import type { OpenTransaction } from '../../backend.ts'
import { readVersion } from '../events/catalogue.ts'
import { changeCapture } from '../events/change-capture.ts'
import { introspect } from '../introspect/introspect.ts'
import { cellText } from './cell-json.ts'
import { scriptError, serverError } from './database-error.ts'
import type { HeldTransaction } from './transaction.ts'

/** What a caller does in a transaction before it commits. */
export function openedTransaction(transaction: HeldTransaction): OpenTransaction {
  const run: OpenTransaction['run'] = async ({ text, slots }, path) => {
    try {
      const sets = await transaction.run({ text, parameters: slots })
      return (sets.at(-1)?.rows ?? []).map((row) => row.map(cellText))
    } catch (error) {
      throw scriptError(error, text, path)
    }
  }
  const isRecorded = async () => (await readVersion(transaction)) !== null
  let own: string | null = null
  return {
    run,
    introspect: (previous) => introspect((batch) => transaction.batch(batch), previous),
    async place() {
      const sets = await transaction.batch(placeBatch)
      const [server, database, role, guid, created] = (sets[0]?.rows[0] ?? []).map(cellText)
      return { database: JSON.stringify([server, database, guid, created]), role: role ?? '' }
    },
    // the server keeps no record of transactions that are over: one that commits leaves a row
    async id() {
      if (own !== null) return own
      own = (await isRecorded()) ? randomUUID() : UNRECORDED
      if (own !== UNRECORDED) for (const text of recordTexts) await transaction.run({ text, parameters: [own] })
      return own
    },
    async outcomeOf(id) {
      if (id === UNRECORDED) return 'unknown'
      await transaction.batch('SET LOCK_TIMEOUT 1000')
      try {
        // a transaction that made the tables took them along
        if (!(await isRecorded())) return 'aborted'
        const sets = await transaction.run({ text: outcomeText, parameters: [id] })
        return Number(sets[0]?.rows[0]?.[0]) === 0 ? 'aborted' : 'committed'
      } catch (error) {
        if (serverError(error)?.number === LOCK_TIMED_OUT) return 'in progress'
        throw error
      }
    },
    async changeCapture(change, _options, path) {
      await transaction.batch('SET LOCK_TIMEOUT 30000')
      await changeCapture(transaction, change, path)
    },
  }
}

const UNRECORDED = 'unrecorded'
const LOCK_TIMED_OUT = 1222

// servers in different networks may have one name, such as containers
const placeBatch = `SELECT CAST(SERVERPROPERTY(N'ServerName') AS nvarchar(128)) AS [server], DB_NAME() AS [database],
  USER_NAME() AS [role], CONVERT(nvarchar(36), [d].[service_broker_guid]) AS [guid],
  CONVERT(nvarchar(30), [d].[create_date], 126) AS [created]
FROM [sys].[databases] AS [d] WHERE [d].[name] = DB_NAME()`

const recordTexts: readonly string[] = [
  `DELETE FROM [svc_catalog].[svc_source_transactions] WHERE [begun_at] < DATEADD(day, -7, SYSDATETIMEOFFSET())`,
  `INSERT INTO [svc_catalog].[svc_source_transactions] ([id], [begun_at]) VALUES (@p1, SYSDATETIMEOFFSET())`,
]

/** It waits for a transaction that is not over, whatever the isolation. */
const outcomeText = `SELECT COUNT(*) AS [count] FROM [svc_catalog].[svc_source_transactions] WITH (READCOMMITTEDLOCK)
WHERE [id] = @p1`

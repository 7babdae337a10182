import type { OpenTransaction } from '../../backend.ts'
import { introspect } from '../introspect/introspect.ts'
import { cellText } from './cell-json.ts'
import { scriptError } from './database-error.ts'
import { rowsByName } from './rows-by-name.ts'
import type { HeldTransaction } from './transaction.ts'

/** What others do in a transaction before it commits. */
export function openedTransaction(transaction: HeldTransaction): OpenTransaction {
  const run: OpenTransaction['run'] = async ({ text, slots }, path) => {
    try {
      const sets = await transaction.run({ text, parameters: slots })
      return (sets.at(-1)?.rows ?? []).map((row) => row.map(cellText))
    } catch (error) {
      throw scriptError(error, text, path)
    }
  }
  return {
    run,
    introspect: (previous) => introspect(async (batch) => rowsByName(await transaction.batch(batch)), previous),
    async place() {
      const sets = await transaction.batch(placeBatch)
      const [server, database, role] = (sets[0]?.rows[0] ?? []).map(cellText)
      return { database: `${server}/${database}`, role: role ?? '' }
    },
    id: async () => '',
    // it keeps no record of transactions that are over
    outcomeOf: async () => 'unknown',
  }
}

const placeBatch = `SELECT CAST(SERVERPROPERTY(N'ServerName') AS nvarchar(128)) AS [server], DB_NAME() AS [database],
  USER_NAME() AS [role]`

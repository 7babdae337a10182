import { queryError } from './database-error.ts'
import type { SourcePool } from './source-pool.ts'

/** The lines of a statement's plan: a mode of the connection, which is switched off again whatever happens. */
export function explain(pool: SourcePool, text: string): Promise<readonly string[]> {
  return pool.apart((own) =>
    own.transaction(async (transaction) => {
      await transaction.batch('SET SHOWPLAN_TEXT ON')
      try {
        const sets = await transaction.batch(text)
        // the first set repeats the statement
        const plans = sets.length > 1 ? sets.slice(1) : sets
        return plans.flatMap(({ rows }) => rows.map(([line]) => String(line ?? '')))
      } catch (error) {
        throw queryError(error, text)
      } finally {
        await transaction.batch('SET SHOWPLAN_TEXT OFF')
      }
    }),
  )
}

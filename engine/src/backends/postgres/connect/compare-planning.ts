import { ident, join, literal, print, sql } from '../../sql.ts'
import { control } from './batch.ts'
import type { Connection } from './client-pool.ts'
import { isLong } from './encode-long.ts'
import { isCancelled } from './from-sql-state.ts'
import type { PlanningChoice } from './planning-choice.ts'
import type { Prepared } from './value-queue.ts'

/**
 * Has the database count what a prepared statement reads, planned for its parameters and without a check of them. It
 * runs thrice more for that, so it must have no side effects, and for `TIME_LIMIT` ms each at most. Never rejects.
 */
export async function comparePlanning(
  { client, names }: Connection,
  statement: Prepared,
  choice: PlanningChoice,
): Promise<void> {
  choice.comparing()
  const blocks = async (asked: Prepared) => blocksOf((await client.values.ask(asked, names)).toString())
  const send = (...texts: readonly string[]) =>
    client.values.askAll(
      texts.map((text) => control(text)),
      names,
    )
  const { name, parameters } = statement
  let [without, fresh] = [Number.NaN, Number.NaN]
  try {
    // long values would be written out
    if (name === null || parameters.some(isLong)) return
    // in a transaction, so that no one finds the settings behind a pooler
    await send('BEGIN READ ONLY', `SET LOCAL statement_timeout = ${TIME_LIMIT}`)
    fresh = await blocks({ ...statement, text: `${EXPLAIN} ${statement.text}`, name: null })
    // on this connection it may not have been prepared yet
    await client.values.ask(statement, names)
    await send('SET LOCAL plan_cache_mode = force_generic_plan')
    without = await blocks({ text: executed(name, parameters), name: null, parameters: [] })
  } catch (error) {
    // what took too long without a check of the parameters, and not with it, says as much as a number
    if (isCancelled(error) && !Number.isNaN(fresh)) without = Number.POSITIVE_INFINITY
  } finally {
    // what is wrong with the connection shows when it is used next
    if (client.values.inTransaction && !client.lost) await send('ROLLBACK').catch(() => {})
    choice.compared(without, fresh)
  }
}

/** Milliseconds that one of its runs may take. */
const TIME_LIMIT = 500

/** Blocks and not time: on a busy machine time is mostly waiting. */
const EXPLAIN = 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON)'

function executed(name: string, parameters: readonly (string | null)[]): string {
  const values = parameters.map((value) => (value === null ? sql`NULL` : literal(value)))
  return `${EXPLAIN} ${print(sql`EXECUTE ${ident(name)}(${join(values, sql`, `)})`).text}`
}

/** Returns the blocks that the whole plan read; not a number where the database does not say. */
function blocksOf(explained: string): number {
  const found: unknown = JSON.parse(explained)
  const [{ Plan: plan } = {}] = Array.isArray(found) ? found : []
  return Number(plan?.['Shared Hit Blocks']) + Number(plan?.['Shared Read Blocks'])
}

import { ident, join, literal, print, sql } from '../../sql.ts'
import type { Connection } from './client-pool.ts'
import { runScript } from './open-client.ts'
import type { PlanningChoice } from './planning-choice.ts'
import type { Prepared } from './value-queue.ts'

/**
 * Has the database count what a prepared statement reads, planned for its parameters and without a look at them. It runs
 * thrice more for that, so it must have no side effects. Never rejects.
 */
export async function comparePlanning(
  { client, names }: Connection,
  statement: Prepared,
  choice: PlanningChoice,
): Promise<void> {
  choice.comparing()
  const blocks = async (asked: Prepared) => blocksOf((await client.values.ask(asked, names)).toString())
  const { name, parameters } = statement
  try {
    if (name === null) throw new Error('it is not prepared')
    const anew = await blocks({ ...statement, text: `${EXPLAIN} ${statement.text}`, name: null })
    // on this connection it may not have been prepared yet
    await client.values.ask(statement, names)
    // in a transaction, so that nobody finds the setting behind a pooler
    await runScript(client, 'BEGIN; SET LOCAL plan_cache_mode = force_generic_plan')
    const without = await blocks({ text: executed(name, parameters), name: null, parameters: [] }).catch(
      () => Number.NaN,
    )
    await runScript(client, 'ROLLBACK')
    choice.compared(without, anew)
  } catch {
    // what is wrong with the connection shows when it is used next
    choice.compared(Number.NaN, Number.NaN)
  }
}

/** Blocks and not time: on a busy machine time is mostly waiting. */
const EXPLAIN = 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON)'

function executed(name: string, parameters: readonly (string | null)[]): string {
  const values = parameters.map((value) => (value === null ? sql`NULL` : literal(value)))
  return `${EXPLAIN} ${print(sql`EXECUTE ${ident(name)}(${join(values, sql`, `)})`).text}`
}

/** Of the whole plan; not a number where the database does not say. */
function blocksOf(explained: string): number {
  const told: unknown = JSON.parse(explained)
  const [{ Plan: plan } = {}] = Array.isArray(told) ? told : []
  return Number(plan?.['Shared Hit Blocks']) + Number(plan?.['Shared Read Blocks'])
}

import type { Connection } from './client-pool.ts'
import type { PlanCost } from './plan-cost.ts'
import type { Prepared } from './value-queue.ts'

/**
 * Has the database itself measure a statement: on a busy machine the time that an answer takes is mostly waiting. It runs
 * once more for that, so it must have no side effects. Never rejects.
 */
export async function probeCost({ client, names }: Connection, statement: Prepared, cost: PlanCost): Promise<void> {
  const text = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement.text}`
  try {
    const told: unknown = JSON.parse((await client.values.ask({ ...statement, text, name: null }, names)).toString())
    const [plan] = Array.isArray(told) ? told : []
    cost.probed(Number(plan?.['Execution Time']))
  } catch {
    // what is wrong with the connection shows when it is used next
    cost.probed(Number.NaN)
  }
}

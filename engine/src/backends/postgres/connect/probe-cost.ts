import type { Connection } from './client-pool.ts'
import type { Prepared } from './value-queue.ts'

/**
 * The milliseconds of a statement by the database's own measure: on a busy machine the time that an answer takes is mostly
 * waiting. It runs once more for that, so it must have no side effects. Not a number where the database does not tell; never
 * rejects.
 */
export async function probeCost({ client, names }: Connection, statement: Prepared): Promise<number> {
  const text = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement.text}`
  try {
    const told: unknown = JSON.parse((await client.values.ask({ ...statement, text, name: null }, names)).toString())
    const [plan] = Array.isArray(told) ? told : []
    return Number(plan?.['Execution Time'])
  } catch {
    // what is wrong with the connection shows when it is used next
    return Number.NaN
  }
}

/** The least of a few runs: the backend may have been kept from one. */
export async function weigh(connection: Connection, statement: Prepared): Promise<number> {
  const first = await probeCost(connection, statement)
  const second = await probeCost(connection, statement)
  return Math.min(first, second, await probeCost(connection, statement))
}

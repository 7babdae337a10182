import { graphqlRequest, startBenchEngine } from './contestants.ts'
import { Client } from './load.ts'
import { createTables, tablesMetadata } from './many-tables.ts'
import { median } from './measure-queries.ts'
import type { Effort } from './run.ts'

const tables = 5000

/** The first query of roles that were not used before, at 5,000 tables. */
export async function measureFirst({ rounds }: Effort): Promise<void> {
  const roles = Array.from({ length: rounds }, (_, i) => `role_${i}`)
  const engine = await startBenchEngine(await createTables(tables), tablesMetadata(tables, roles))
  const client = await Client.open(engine.port)
  const times: number[] = []
  for (const role of roles) {
    const started = performance.now()
    await client.ask(graphqlRequest('{ t1(limit: 1) { id c0 parent { id } } }', {}, role))
    times.push(performance.now() - started)
  }
  console.log(
    `first queries of ${rounds} roles: median ${median(times).toFixed(1)} ms, longest ${Math.max(...times).toFixed(1)} ms`,
  )
  engine.stop()
}

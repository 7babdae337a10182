import { getIntrospectionQuery } from 'graphql'
import { graphqlRequest, startBenchEngine } from './contestants.ts'
import { Client } from './load.ts'
import { createTables, tablesMetadata } from './many-tables.ts'
import { median } from './measure-queries.ts'
import type { Effort } from './run.ts'

const tables = 1000

/** Introspection of 1,000 tables by a role that was not seen before, and the longest that another request takes beside it. */
export async function measureIntrospection({ rounds }: Effort): Promise<void> {
  const roles = Array.from({ length: rounds }, (_, i) => `role_${i}`)
  const engine = await startBenchEngine(await createTables(tables), tablesMetadata(tables, roles))
  const [client, other] = [await Client.open(engine.port), await Client.open(engine.port)]
  const times: number[] = []
  const stalls: number[] = []
  let size = 0
  for (const role of roles) {
    const small = graphqlRequest('{ t0(limit: 1) { id } }', {}, role)
    for (let i = 0; i < 20; i++) await other.ask(small)
    const started = performance.now()
    let over = false
    const introspected = client.ask(graphqlRequest(getIntrospectionQuery(), {}, role)).then((body) => {
      times.push(performance.now() - started)
      size = body.length
      over = true
    })
    let longest = 0
    while (!over) {
      const begun = performance.now()
      await other.ask(small)
      longest = Math.max(longest, performance.now() - begun)
    }
    await introspected
    stalls.push(longest)
  }
  console.table([
    {
      megabytes: (size / 1e6).toFixed(1),
      'median ms': median(times).toFixed(0),
      'first ms': times[0]?.toFixed(0),
      'stall, median ms': median(stalls).toFixed(0),
      'stall, longest ms': Math.max(...stalls).toFixed(0),
    },
  ])
  engine.stop()
}

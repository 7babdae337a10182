import { cpuOf, graphqlRequest, startBenchEngine } from './contestants.ts'
import { closedLoad } from './load.ts'
import { createTables, tablesMetadata } from './many-tables.ts'
import type { Effort } from './run.ts'

/** CPU of a nested query whose text was never seen, at 1,000 tracked tables, compared with one that was. */
export async function measureMisses({ milliseconds }: Effort): Promise<void> {
  const engine = await startBenchEngine(await createTables(1000), tablesMetadata(1000, ['customer']))
  const text = (n: number) =>
    `query ($p: Int!) { t0(where: {id: {_gt: $p}}, order_by: {id: asc}, limit: 50) { id a${n}: c0 children { id c1 children { id c2 c3 } } } }`
  const measure = async (what: string, request: (i: number) => Buffer) => {
    const cpu = cpuOf(engine.pid)
    const { latencies } = await closedLoad({ port: engine.port, request }, 1, 2 * milliseconds)
    return { what, 'ms CPU': ((cpuOf(engine.pid) - cpu) / latencies.length).toFixed(2) }
  }
  const fresh = (i: number) => graphqlRequest(text(i), { p: i % 5 })
  const table = [
    await measure('seen, warming up', (i) => graphqlRequest(text(0), { p: i % 5 })),
    await measure('seen', (i) => graphqlRequest(text(0), { p: i % 5 })),
    await measure('never seen, warming up', fresh),
    await measure('never seen', fresh),
  ]
  console.table(table)
  engine.stop()
}

import { startBenchEngine, startLimit } from './contestants.ts'
import { closedLoad, openLoad, quantile } from './load.ts'
import { median } from './measure-queries.ts'
import { byKey, list, nested } from './queries.ts'
import type { Effort } from './run.ts'
import { createStore } from './store.ts'

/** The 99th percentile while requests come at 70 % of the rate that the bare server can reach. */
export async function measureLatency({ rounds, milliseconds }: Effort): Promise<void> {
  const store = await createStore()
  const [engine, limit] = [await startBenchEngine(store), await startLimit(store.data)]
  const table: Record<string, string | number>[] = []
  for (const query of [byKey, list, nested]) {
    for (const each of [engine, limit]) await closedLoad(each.target(query), 10, 1500)
    const reached: number[] = []
    for (let i = 0; i < 3; i++) reached.push((await closedLoad(limit.target(query), 10, 1000)).perSecond)
    const rate = 0.7 * median(reached)
    const p99: Record<'engine' | 'limit', number[]> = { engine: [], limit: [] }
    const p50: Record<'engine' | 'limit', number[]> = { engine: [], limit: [] }
    for (let round = 0; round < rounds; round++)
      for (const [name, contestant] of [
        ['engine', engine],
        ['limit', limit],
      ] as const) {
        const { latencies } = await openLoad(contestant.target(query), rate, milliseconds)
        p99[name].push(quantile(latencies, 0.99))
        p50[name].push(quantile(latencies, 0.5))
      }
    table.push({
      query: query.name,
      'rate /s': Math.round(rate),
      'engine p50 ms': median(p50.engine).toFixed(2),
      'limit p50 ms': median(p50.limit).toFixed(2),
      'engine p99 ms': median(p99.engine).toFixed(2),
      'limit p99 ms': median(p99.limit).toFixed(2),
      'p99 of the limit': median(p99.engine.map((p, i) => p / (p99.limit[i] ?? 0))).toFixed(2),
    })
  }
  for (const contestant of [engine, limit]) contestant.stop()
  console.table(table)
}

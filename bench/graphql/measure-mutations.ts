import { type Contestant, cpuOf, startBenchEngine, startLimit, startPostgraphile } from './contestants.ts'
import { databaseCpu } from './database-cpu.ts'
import { closedLoad } from './load.ts'
import { type Figures, rowOf } from './measure-queries.ts'
import type { Mutation } from './mutations.ts'
import type { Effort } from './run.ts'
import { createStore, run, storeTables } from './store.ts'
import { emptied, writtenSchema, writtenTables } from './written-store.ts'

/** Answers a second at each concurrency, in many short rounds in which every server has a turn with empty tables. */
export async function measureMutations(
  mutations: readonly Mutation[],
  { rounds, milliseconds }: Effort,
): Promise<void> {
  const store = await createStore()
  await run(store.data, writtenSchema)
  await run(store.data, emptied)
  await run(store.data, 'VACUUM ANALYZE')
  const engine = await startBenchEngine(store, [...storeTables, ...writtenTables])
  const limit = await startLimit(store.data)
  const porsager = await startLimit(store.data, 'postgres')
  const other = process.env.SVC_BENCH_ALONE ? null : await startPostgraphile(store.data, true)
  const cpuOfDatabase = await databaseCpu(store.data)
  const table: Record<string, string | number>[] = []
  for (const mutation of mutations) {
    const contestants = [engine, limit, porsager, ...(other && mutation.postgraphile ? [other] : [])]
    const figures = new Map<string, Figures[]>()
    for (const contestant of contestants) await warmUp(contestant, mutation)
    for (let round = 0; round < rounds; round++)
      for (const concurrency of mutation.concurrencies)
        for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
          await run(store.data, emptied)
          const [before, databaseBefore] = [cpuOf(contestant.pid), cpuOfDatabase()]
          const { perSecond, latencies } = await closedLoad(contestant.target(mutation), concurrency, milliseconds)
          const each = (spent: number) => (spent * 1000) / latencies.length
          const cpu = each(cpuOf(contestant.pid) - before)
          const database = each(cpuOfDatabase() - databaseBefore)
          const key = `${contestant.name} ${concurrency}`
          figures.set(key, [...(figures.get(key) ?? []), { perSecond, cpu, database }])
        }
    for (const concurrency of mutation.concurrencies) table.push(rowOf(mutation, concurrency, figures))
  }
  for (const contestant of [engine, limit, porsager, other]) contestant?.stop()
  console.table(table)
}

async function warmUp(contestant: Contestant, mutation: Mutation): Promise<void> {
  const until = performance.now() + 5_000
  for (let asked = 0; asked < 5_000 && performance.now() < until; )
    asked += (await closedLoad(contestant.target(mutation), Math.min(10, ...mutation.concurrencies.slice(-1)), 500))
      .latencies.length
}

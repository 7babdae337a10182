import { readFileSync } from 'node:fs'
import { cpuOf, startBenchEngine } from './contestants.ts'
import { closedLoad } from './load.ts'
import { median } from './measure-queries.ts'
import { byKey, list, nested } from './queries.ts'
import type { Effort } from './run.ts'
import { createStore } from './store.ts'

/** Of each process: one that answers more at a time has less to do for each, since what comes together is read together. */
const connections = 10

/**
 * CPU of all processes of an engine a request: one process, and a parent with two workers, in turn. Two workers get the
 * connections of two, and those of one for comparison.
 */
export async function measureWorkers({ rounds, milliseconds }: Effort): Promise<void> {
  const stores = [await createStore(), await createStore()]
  const engines = await Promise.all(
    stores.map((store, i) => startBenchEngine(store, undefined, { SVC_GRAPHQL_WORKERS: String(i + 1) })),
  )
  const table: Record<string, string | number>[] = []
  for (const query of [byKey, list, nested]) {
    const runs = [
      { engine: engines[0], count: connections },
      { engine: engines[1], count: 2 * connections },
      { engine: engines[1], count: connections },
    ]
    const figures = runs.map(() => ({ cpu: [] as number[], perSecond: [] as number[] }))
    // V8 compiles what runs often, in each worker
    for (const engine of engines) await closedLoad(engine.target(query), connections, 10_000)
    for (let round = 0; round < rounds; round++)
      for (const at of round % 2 === 0 ? [0, 1, 2] : [2, 1, 0]) {
        const { engine, count = connections } = runs[at] ?? {}
        if (!engine) continue
        const before = cpuOfAll(engine.pid)
        const { latencies, perSecond } = await closedLoad(engine.target(query), count, milliseconds)
        figures[at]?.cpu.push(((cpuOfAll(engine.pid) - before) * 1000) / latencies.length)
        figures[at]?.perSecond.push(perSecond)
      }
    const [one, two, few] = figures.map(({ cpu }) => median(cpu)) as [number, number, number]
    const [oneRate, twoRate] = figures.map(({ perSecond }) => Math.round(median(perSecond))) as [number, number]
    table.push({
      query: query.name,
      'µs CPU, 1 process': Math.round(one),
      'µs CPU, 2 workers': Math.round(two),
      ratio: (two / one).toFixed(2),
      'with the same connections': (few / one).toFixed(2),
      '/s, 1 process': oneRate,
      '/s, 2 workers': twoRate,
    })
  }
  console.table(table)
  for (const engine of engines) engine.stop()
}

/** Milliseconds of a process and those that it has started. */
function cpuOfAll(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return children.reduce((sum, child) => sum + cpuOfAll(child), cpuOf(pid))
}

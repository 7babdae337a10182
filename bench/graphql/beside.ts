import { graphqlRequest, startBenchEngine } from './contestants.ts'
import { Client, openLoad, quantile } from './load.ts'
import { median } from './measure-queries.ts'
import { byKey } from './queries.ts'
import type { Effort } from './run.ts'
import { createStore } from './store.ts'

/** Reads by key, 500 a second, without and with ten statements of a second running all the time. */
export async function measureBeside({ rounds, milliseconds }: Effort): Promise<void> {
  const engine = await startBenchEngine(await createStore())
  const target = engine.target(byKey)
  await openLoad(target, 500, 2000)
  const alone: number[] = []
  const beside: number[] = []
  for (let round = 0; round < rounds; round++) {
    alone.push(quantile((await openLoad(target, 500, milliseconds)).latencies, 0.99))
    const slow = new AbortController()
    const ended = Promise.all(Array.from({ length: 10 }, (_, i) => keepSlow(engine.port, i, slow.signal)))
    await new Promise((resolve) => setTimeout(resolve, 200))
    beside.push(quantile((await openLoad(target, 500, milliseconds)).latencies, 0.99))
    slow.abort()
    await ended
  }
  engine.stop()
  console.table([
    {
      'p99 alone ms': median(alone).toFixed(2),
      'p99 beside ms': median(beside).toFixed(2),
      times: median(beside.map((p, i) => p / (alone[i] ?? 0))).toFixed(2),
    },
  ])
}

async function keepSlow(port: number, i: number, signal: AbortSignal): Promise<void> {
  const client = await Client.open(port)
  const request = graphqlRequest('query ($p: Int!) { track_by_pk(id: $p) { sleep_long } }', { p: byKey.parameter(i) })
  while (!signal.aborted) await client.ask(request)
  client.close()
}

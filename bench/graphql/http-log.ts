import { type Contestant, cpuOf, startBenchEngine } from './contestants.ts'
import { closedLoad } from './load.ts'
import { byKey } from './queries.ts'
import type { Effort } from './run.ts'
import { createStore } from './store.ts'

const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'all requests': {},
  'one in 100': { SVC_GRAPHQL_HTTP_LOG_ONE_IN: '100' },
  'errors alone': { SVC_GRAPHQL_HTTP_LOG_ONE_IN: '0' },
  'no http-log': { SVC_GRAPHQL_ENABLED_LOG_TYPES: 'startup' },
  'no usage counted': { SVC_GRAPHQL_USAGE_DAYS: '0' },
}

/** CPU of the engine for a read by key with each choice of what the http-log has and without usage, in alternating rounds. */
export async function measureHttpLog({ rounds, milliseconds }: Effort): Promise<void> {
  const store = await createStore()
  const engines = new Map<string, Contestant>()
  for (const [name, environment] of Object.entries(settings))
    engines.set(name, await startBenchEngine(store, engines.size === 0 ? undefined : null, environment))
  const figures = new Map([...engines.keys()].map((name) => [name, [] as number[]]))
  // V8 compiles what runs often, which takes it some thousand requests
  for (const engine of engines.values()) await closedLoad(engine.target(byKey), 10, 3000)
  for (let round = 0; round < rounds; round++)
    for (const [name, engine] of round % 2 === 0 ? engines : [...engines].toReversed()) {
      const before = cpuOf(engine.pid)
      const { latencies } = await closedLoad(engine.target(byKey), 10, milliseconds)
      figures.get(name)?.push(((cpuOf(engine.pid) - before) * 1000) / latencies.length)
    }
  for (const engine of engines.values()) engine.stop()
  const [first = []] = figures.values()
  console.table(
    [...figures].map(([name, list]) => ({
      setting: name,
      'µs of CPU a read by key': Math.round(median(list)),
      'of the default': median(list.map((value, round) => value / (first[round] ?? Number.NaN))).toFixed(3),
    })),
  )
}

const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN

import { type Contestant, cpuOf, startBenchEngine } from './contestants.ts'
import { closedLoad } from './load.ts'
import { median } from './measure-queries.ts'
import { following, type Mutation } from './mutations.ts'
import { byKey, list, type Query } from './queries.ts'
import type { Effort } from './run.ts'
import { createStore, run, storeTables } from './store.ts'
import { emptied, writtenSchema, writtenTables } from './written-store.ts'

/** Variables of the environment by the name of what they make. */
type Settings = Readonly<Record<string, Readonly<Record<string, string>>>>

export const httpLogs: Settings = {
  'all requests': {},
  'one in 100': { SVC_GRAPHQL_HTTP_LOG_ONE_IN: '100' },
  'errors alone': { SVC_GRAPHQL_HTTP_LOG_ONE_IN: '0' },
  'no http-log': { SVC_GRAPHQL_ENABLED_LOG_TYPES: 'startup' },
}

/** The last of them reads the value of a variable with each request. */
export const usages: Settings = { 'not counted': { SVC_GRAPHQL_USAGE_DAYS: '0' }, counted: {} }
export const counted: readonly (Query | Mutation)[] = [byKey, list, following]

/** CPU of a request and requests a second at 10 connections, of one engine a setting, which take turns. */
export async function measureSettings(
  settings: Settings,
  requests: readonly (Query | Mutation)[],
  { rounds, milliseconds }: Effort,
): Promise<void> {
  const store = await createStore()
  await run(store.data, writtenSchema)
  const engines = new Map<string, Contestant>()
  const tables = [...storeTables, ...writtenTables]
  for (const [name, environment] of Object.entries(settings))
    engines.set(name, await startBenchEngine(store, engines.size === 0 ? tables : null, environment))
  const rows: object[] = []
  for (const request of requests) {
    const figures = new Map(
      [...engines.keys()].map((name) => [name, { cpu: [] as number[], perSecond: [] as number[] }]),
    )
    // V8 compiles what runs often, which takes it some thousand requests
    for (const engine of engines.values()) await closedLoad(engine.target(request), 10, 3000)
    for (let round = 0; round < rounds; round++)
      for (const [name, engine] of round % 2 === 0 ? engines : [...engines].toReversed()) {
        await run(store.data, emptied)
        const before = cpuOf(engine.pid)
        const { latencies, perSecond } = await closedLoad(engine.target(request), 10, milliseconds)
        figures.get(name)?.cpu.push(((cpuOf(engine.pid) - before) * 1000) / latencies.length)
        figures.get(name)?.perSecond.push(perSecond)
      }
    const [first] = figures.values()
    const ratio = (one: readonly number[], other: readonly number[] = []) =>
      median(one.map((value, round) => value / (other[round] ?? Number.NaN))).toFixed(3)
    for (const [name, { cpu, perSecond }] of figures)
      rows.push({
        request: request.name,
        setting: name,
        'µs CPU': median(cpu).toFixed(1),
        'CPU, of the first': ratio(cpu, first?.cpu),
        '/s': Math.round(median(perSecond)),
        '/s, of the first': ratio(perSecond, first?.perSecond),
      })
  }
  for (const engine of engines.values()) engine.stop()
  console.table(rows)
}

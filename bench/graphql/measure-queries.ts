import { type Contestant, cpuOf, startBenchEngine, startLimit, startPostgraphile } from './contestants.ts'
import { closedLoad } from './load.ts'
import type { Query } from './queries.ts'
import type { Effort } from './run.ts'
import { createStore } from './store.ts'

export interface Figures {
  readonly perSecond: number
  /** Microseconds of the process a request. */
  readonly cpu: number
  /** The same of the database, where it was measured. */
  readonly database?: number
}

/** Answers a second at each concurrency, in rounds in which every server has a turn. */
export async function measureQueries(
  queries: readonly Query[],
  concurrencies: readonly number[],
  { rounds, milliseconds }: Effort,
): Promise<void> {
  const store = await createStore()
  const engine = await startBenchEngine(store)
  const limit = await startLimit(store.data)
  const porsager = await startLimit(store.data, 'postgres')
  const other = process.env.SVC_BENCH_ALONE ? null : await startPostgraphile(store.data)
  const table: Record<string, string | number>[] = []
  for (const query of queries) {
    const contestants = [engine, limit, porsager, ...(other && query.postgraphile !== '' ? [other] : [])]
    const figures = new Map<string, Figures[]>()
    for (const contestant of contestants) await warmUp(contestant, query)
    for (let round = 0; round < rounds; round++)
      // who comes first changes, since each leaves its caches behind
      for (const concurrency of concurrencies)
        for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
          const measured = await measure(contestant, query, concurrency, milliseconds)
          const key = `${contestant.name} ${concurrency}`
          figures.set(key, [...(figures.get(key) ?? []), measured])
        }
    for (const concurrency of concurrencies) table.push(rowOf(query, concurrency, figures))
  }
  for (const contestant of [engine, limit, porsager, other]) contestant?.stop()
  console.table(table)
}

/** V8 compiles what runs often, which takes it some thousand requests. */
async function warmUp(contestant: Contestant, query: Query): Promise<void> {
  const until = performance.now() + 10_000
  for (let asked = 0; asked < 10_000 && performance.now() < until; )
    asked += (await closedLoad(contestant.target(query), 10, 500)).latencies.length
}

async function measure(
  contestant: Contestant,
  query: Query,
  concurrency: number,
  milliseconds: number,
): Promise<Figures> {
  const before = cpuOf(contestant.pid)
  const { perSecond, latencies } = await closedLoad(contestant.target(query), concurrency, milliseconds)
  return { perSecond, cpu: ((cpuOf(contestant.pid) - before) * 1000) / latencies.length }
}

export function rowOf(
  { name }: { readonly name: string },
  concurrency: number,
  figures: ReadonlyMap<string, readonly Figures[]>,
) {
  const of = (contestant: string) => figures.get(`${contestant} ${concurrency}`) ?? []
  const engine = of('engine')
  const limit = of('limit')
  const ratio = (to: readonly Figures[]) =>
    to.length === 0 ? '' : median(engine.map(({ perSecond }, i) => perSecond / (to[i]?.perSecond ?? 0))).toFixed(2)
  return {
    name,
    concurrency,
    'engine /s': Math.round(median(engine.map(({ perSecond }) => perSecond))),
    'limit /s': Math.round(median(limit.map(({ perSecond }) => perSecond))),
    'of the limit': ratio(limit),
    'of postgres': ratio(of('postgres')),
    'of PostGraphile': ratio(of('PostGraphile 5')),
    'engine µs CPU': Math.round(median(engine.map(({ cpu }) => cpu))),
    'limit µs CPU': Math.round(median(limit.map(({ cpu }) => cpu))),
    ...(engine[0]?.database !== undefined && {
      'database µs CPU': Math.round(median(engine.map(({ database = 0 }) => database))),
      'for the limit': Math.round(median(limit.map(({ database = 0 }) => database))),
    }),
  }
}

export const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN

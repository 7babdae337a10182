import { cpuOf, graphqlRequest, rssOf, startBenchEngine } from './contestants.ts'
import { closedLoad } from './load.ts'
import { byKey } from './queries.ts'
import type { Effort } from './run.ts'
import { createStore, run } from './store.ts'

const plans = 10_000

/** Ten thousand texts in turn, each with a plan of its own: what they cost the engine and the database. */
export async function measureManyPlans({ milliseconds }: Effort): Promise<void> {
  const store = await createStore()
  const engine = await startBenchEngine(store)
  const before = { engine: rssOf(engine.pid), backends: await backendsOf(store.data) }
  const columns = ['id', 'name', 'composer', 'milliseconds', 'bytes', 'unit_price', 'genre_id', 'album_id']
  const text = (n: number) => {
    const fields = columns.filter((_, bit) => (n >> bit) & 1)
    return `query ($p: Int!) { track_by_pk(id: $p) { id k${n}: name ${fields.join(' ')} album { id title artist { id name } } } }`
  }
  const ask = (different: number) => (i: number) => graphqlRequest(text(i % different), { p: byKey.parameter(i) })
  const measure = async (different: number, time: number) => {
    const cpu = cpuOf(engine.pid)
    const { perSecond, latencies } = await closedLoad({ port: engine.port, request: ask(different) }, 10, time)
    return {
      plans: different,
      '/s': Math.round(perSecond),
      'µs CPU': Math.round(((cpuOf(engine.pid) - cpu) * 1000) / latencies.length),
    }
  }
  const table = [await measure(10, 3 * milliseconds), await measure(plans, 3 * milliseconds)]
  // every text once more at least
  for (let asked = 0; asked < 3 * plans; ) asked += await soMany(engine.port, ask(plans))
  table.push(await measure(plans, 3 * milliseconds))
  console.table(table)
  const after = { engine: rssOf(engine.pid), backends: await backendsOf(store.data) }
  console.log(`RSS of the engine: ${before.engine} MB before, ${after.engine} MB after`)
  console.log(
    `RSS of the database's backends: ${before.backends.join(' ')} MB before, ${after.backends.join(' ')} MB after`,
  )
  engine.stop()
}

async function soMany(port: number, request: (i: number) => Buffer): Promise<number> {
  return (await closedLoad({ port, request }, 10, 2000)).latencies.length
}

/** Of the engine's connections to that database. */
async function backendsOf(url: string): Promise<readonly number[]> {
  const rows = await run(
    url,
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  )
  return rows.map(({ pid }) => rssOf(Number(pid))).sort((a, b) => a - b)
}

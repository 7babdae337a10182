import { getIntrospectionQuery } from 'graphql'
import { graphqlRequest, rssOf, startBenchEngine } from './contestants.ts'
import { Client } from './load.ts'
import { createTables, tablesMetadata } from './many-tables.ts'

const tables = 1000

/** Ten roles over 1,000 tables, each introspected once and querying every table once: the engine's memory. */
export async function measureRoles(): Promise<void> {
  const roles = Array.from({ length: 10 }, (_, i) => `role_${i}`)
  const engine = await startBenchEngine(await createTables(tables), tablesMetadata(tables, roles))
  const client = await Client.open(engine.port)
  const started = rssOf(engine.pid)
  let peak = started
  const ask = async (query: string, as: string) => {
    await client.ask(graphqlRequest(query, {}, as))
    peak = Math.max(peak, rssOf(engine.pid))
  }
  for (const role of roles) {
    await ask(getIntrospectionQuery(), role)
    for (let i = 0; i < tables; i++) await ask(`{ t${i}(limit: 1) { id c0 parent { id } } }`, role)
  }
  console.log(`RSS: ${started} MB when started, ${rssOf(engine.pid)} MB at the end, ${peak} MB at most`)
  engine.stop()
}

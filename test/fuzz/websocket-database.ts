import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

/** An engine over a table that can be queried, subscribed to and streamed. */
export async function startWebsocketEngine(): Promise<{ readonly engine: Engine; readonly database: TestDatabase }> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('CREATE TABLE note (id integer PRIMARY KEY); INSERT INTO note SELECT generate_series(1, 10)')
  await client.end()
  const engine = await startEngine({
    databaseUrl: database.url,
    env: {
      SVC_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: '20',
      SVC_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: '20',
    },
  })
  await engine.metadata('pg_track_table', { table: { schema: 'public', name: 'note' } })
  return { engine, database }
}

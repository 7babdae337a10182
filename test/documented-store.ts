import type { TestContext } from 'node:test'
import pg from 'pg'
import { loadMusicStore } from '../examples/music-store/load.ts'
import { type Engine, startEngine } from './engine.ts'
import { createTestDatabase } from './postgres.ts'
import { startRemoteServer } from './serving/remote-server.ts'

/** An engine over the music store with all that the examples of the reference pages name: a server, a second source. */
export async function startDocumentedStore(t: TestContext): Promise<Engine> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await loadMusicStore(client).finally(() => client.end())
  const crm = await startRemoteServer(
    `type Query { client(id: Int!): Client  clients: [Client!]! }
     type Client { id: Int!  company: String  advisor_id: Int }`,
    {},
  )
  const env = {
    REPORTS_DATABASE_URL: database.url,
    CRM_URL: crm.url,
    CRM_TOKEN: 'secret',
    SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true',
  }
  const engine = await startEngine({ databaseUrl: database.url, env }, t)
  t.after(crm.close)
  t.after(database.drop)
  return engine
}

/** Three accounts whose keys are one number to a double, and an engine that tracks them: `const ledger = await startLedger(t)`. */
import type { TestContext } from 'node:test'
import pg from 'pg'
import { type Engine, type EngineOptions, startEngine } from './engine.ts'
import { createTestDatabase } from './postgres.ts'

export interface Ledger {
  readonly engine: Engine
  readonly databaseUrl: string
  /** The ids of the accounts that a role reads, as the answer spells them. */
  ids(role: string, engine?: Engine): Promise<readonly string[]>
}

/** One more than the greatest double that has no neighbour at a distance of one. */
export const LONG = '9007199254740993'

export async function startLedger(t: TestContext, { env = {} }: Pick<EngineOptions, 'env'> = {}): Promise<Ledger> {
  const database = await createTestDatabase()
  await run(
    database.url,
    `CREATE TABLE account (id bigint PRIMARY KEY, amount numeric, note jsonb);
     INSERT INTO account VALUES (9007199254740992, 1, '{}'), (${LONG}, 0.12345678901234567891, '{"of": ${LONG}}'),
                                (9007199254740994, 1e30, '{}')`,
  )
  const engine = await startEngine({ databaseUrl: database.url, env }, t)
  t.after(database.drop)
  return {
    engine,
    databaseUrl: database.url,
    async ids(role, of = engine) {
      const { text } = await of.post(
        '/v1/graphql',
        { query: '{ account(order_by: {id: asc}) { id } }' },
        { 'X-Svc-Role': role },
      )
      if (!text.includes('"data"')) throw new Error(text)
      return [...text.matchAll(/"id":"?(\d+)/g)].map(([, id]) => id ?? '')
    },
  }
}

async function run(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

/** A generated schema: tables in a row, each with a relationship to the one before, one back, and two permissions. */
import pg from 'pg'
import type { JsonObject } from '../../schema/src/index.ts'
import { musicMetadata } from '../cli/music-tables.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

type WithAfter = { after(cleanUp: () => Promise<void>): void }

export async function startWide(t: WithAfter, tables: number): Promise<{ engine: Engine; resources: number }> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const create = indices(tables).map(
    (i) =>
      `CREATE TABLE t${i} (id integer PRIMARY KEY, owner text, before_id integer${i === 0 ? '' : ` REFERENCES t${i - 1}`})`,
  )
  await client.query(create.join(';')).finally(() => client.end())
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(database.drop)
  const answer = await engine.metadata('replace_metadata', musicMetadata(indices(tables).map((i) => table(i, tables))))
  if (answer.status !== 200) throw new Error(answer.text)
  return { engine, resources: 1 + tables + 2 * (tables - 1) + 2 * tables }
}

const indices = (count: number) => Array.from({ length: count }, (_, i) => i)

const mine = { owner: { _eq: 'X-Svc-User-Id' } }

const table = (i: number, count: number): JsonObject => ({
  table: { schema: 'public', name: `t${i}` },
  ...(i > 0 && {
    object_relationships: [{ name: 'before', using: { foreign_key_constraint_on: 'before_id' } }],
  }),
  ...(i < count - 1 && {
    array_relationships: [
      {
        name: 'after',
        using: {
          foreign_key_constraint_on: { table: { schema: 'public', name: `t${i + 1}` }, column: 'before_id' },
        },
      },
    ],
  }),
  select_permissions: [
    { role: 'clerk', permission: { columns: '*', filter: {}, allow_aggregations: true } },
    { role: 'user', permission: { columns: ['id', 'owner'], filter: i === 0 ? mine : { before: mine } } },
  ],
})

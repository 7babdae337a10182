import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { Path } from '../../../errors.ts'
import type { DatabaseTable, EnumValues, Introspection } from '../../backend.ts'
import { PostgresSource } from '../connect/postgres-source.ts'
import { settingsFor } from '../connect/settings.fixture.ts'

type WithAfter = { after(cleanUp: () => Promise<void>): void }

interface EnumPlace {
  readonly owner: pg.Client
  readonly connection: PostgresSource
  /** A user that may read the catalogue and nothing else. */
  readonly guest: PostgresSource
}

async function startPlace(t: WithAfter): Promise<EnumPlace> {
  const database = await createTestDatabase()
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  const role = `svc_guest_${randomBytes(4).toString('hex')}`
  await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'guest'; GRANT CREATE ON SCHEMA public TO ${role}`)
  const url = new URL(database.url)
  url.username = role
  url.password = 'guest'
  const connection = new PostgresSource(settingsFor(database.url), () => {})
  const guest = new PostgresSource(settingsFor(url.href), () => {})
  t.after(async () => {
    await Promise.all([connection.close(), guest.close()])
    await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
    await owner.end()
    await database.drop()
  })
  return { owner, connection, guest }
}

function tableOf({ tables }: Introspection, name: string): DatabaseTable {
  const table = tables.get(`public.${name}`)
  assert.ok(table, `${name} among ${[...tables.keys()]}`)
  return table
}

test('the values of an enum table come sorted, with their comments; other tables have none', async (t) => {
  const { owner, connection } = await startPlace(t)
  await owner.query(`CREATE TABLE "a ""b" (comment text, "the value" text PRIMARY KEY);
    INSERT INTO "a ""b" VALUES (NULL, 'b'), ('first', 'a'), ('upper', 'B');
    CREATE TABLE plain (value text PRIMARY KEY);
    CREATE TABLE numbers (value integer PRIMARY KEY)`)
  const tables = await connection.introspect(null)
  const odd = [...tables.tables.values()].find(({ table }) => table.name === 'a "b')
  assert.ok(odd)
  assert.deepEqual(await connection.readEnum(odd), {
    status: 'read',
    values: [
      { name: 'B', description: 'upper' },
      { name: 'a', description: 'first' },
      { name: 'b', description: null },
    ],
  })
  assert.deepEqual(await connection.readEnum(tableOf(tables, 'plain')), { status: 'read', values: [] })
  assert.deepEqual(await connection.readEnum(tableOf(tables, 'numbers')), { status: 'none' })
})

test('what the database refuses is a reason, and SQL that ran before it is still committed', async (t) => {
  const { owner, guest } = await startPlace(t)
  await owner.query(`CREATE TABLE secret (value text PRIMARY KEY); INSERT INTO secret VALUES ('a')`)
  const refused: EnumValues = { status: 'failed', reason: 'permission denied for table secret' }
  const secret = tableOf(await guest.introspect(null), 'secret')
  assert.deepEqual(await guest.readEnum(secret), refused)
  let inside: EnumValues | undefined
  const script = { sql: 'CREATE TABLE mine (id int)', readOnly: false, noTransaction: false }
  await guest.runSql(script, Path.root, async ({ readEnum }) => {
    inside = await readEnum?.(secret)
  })
  assert.deepEqual(inside, refused)
  assert.ok((await guest.introspect(null)).tables.has('public.mine'))
})

test('inside run_sql the values are those that the SQL leaves', async (t) => {
  const { owner, connection } = await startPlace(t)
  await owner.query(`CREATE TABLE color (value text PRIMARY KEY); INSERT INTO color VALUES ('red')`)
  const color = tableOf(await connection.introspect(null), 'color')
  const seen: EnumValues[] = []
  const run = (sql: string, noTransaction: boolean) =>
    connection.runSql({ sql, readOnly: false, noTransaction }, Path.root, async ({ readEnum }) => {
      if (readEnum) seen.push(await readEnum(color))
    })
  await run(`INSERT INTO color VALUES ('blue')`, false)
  await run(`DELETE FROM color WHERE value = 'red'`, true)
  // a script that ends the transaction by itself
  await run(`INSERT INTO color VALUES ('gold'); COMMIT`, false)
  const names = seen.map((one) => (one.status === 'read' ? one.values.map(({ name }) => name) : one.status))
  assert.deepEqual(names, [['blue', 'red'], ['blue'], ['blue', 'gold']])
})

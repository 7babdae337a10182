import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import type { Statement } from '../../backend.ts'
import type { PostgresSource } from './postgres-source.ts'
import { administrator, openSource, plan } from './source.fixture.ts'

let url: string
let administrate: ReturnType<typeof administrator>
before(async () => {
  url = (await createTestDatabase()).url
  administrate = administrator(url)
  await administrate(`CREATE TABLE item (id int PRIMARY KEY, n int NOT NULL CHECK (n < 1000));
    INSERT INTO item SELECT id, 0 FROM generate_series(0, 99) id;
    CREATE TABLE gate (open bool); INSERT INTO gate VALUES (true); CREATE SEQUENCE began;
    CREATE FUNCTION once_open() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
      PERFORM nextval('began'); LOOP EXIT WHEN (SELECT open FROM gate); PERFORM pg_sleep(0.005); END LOOP; RETURN 1; END $$`)
})

const counting = (effects: Statement['effects']): Statement => ({
  ...plan(
    `UPDATE item SET n = n + ($2)::int WHERE id = ($1)::int RETURNING to_json(pg_backend_pid() || ' ' || current_setting('svc.user'))`,
    2,
  ),
  effects,
})

const asked = (source: PostgresSource, statement: Statement, id: number, by = 1) =>
  source
    .runTransaction([{ plan: statement, parameters: [String(id), String(by)] }], { settings: [['svc.user', `u${id}`]] })
    .then(([answer]) => JSON.parse(String(answer)).split(' ') as [pid: string, user: string])

const atOnce = (source: PostgresSource, statement: Statement, ids: readonly number[]) =>
  Promise.all(ids.map((id) => asked(source, statement, id)))

const backends = (answers: readonly (readonly [string, string])[]) => new Set(answers.map(([pid]) => pid)).size

const ids = Array.from({ length: 60 }, (_, i) => i)

/** Until they share connections: each is measured alone first, and on a busy machine more than once. */
async function untilShared(source: PostgresSource, statement: Statement): Promise<void> {
  while (backends(await atOnce(source, statement, ids)) > 4);
}

test('small transactions share few connections, each is one of its own with its own settings', async (t) => {
  const { source } = await openSource(t, url, { maxConnections: 30 })
  const statement = counting('rows')
  await untilShared(source, statement)
  await administrate('UPDATE item SET n = 0')
  const answers = await atOnce(source, statement, ids)
  assert.deepEqual(
    answers.map(([, user]) => user),
    ids.map((id) => `u${id}`),
  )
  // one that is refused in the midst of the others
  const settled = await Promise.allSettled(ids.map((id) => asked(source, statement, id, id % 7 === 0 ? 1000 : 1)))
  assert.deepEqual(
    settled.map(({ status }) => status),
    ids.map((id) => (id % 7 === 0 ? 'rejected' : 'fulfilled')),
  )
  const rows = await administrate('SELECT n FROM item WHERE id < 60 ORDER BY id')
  assert.deepEqual(
    rows.map(({ n }) => n),
    ids.map((id) => (id % 7 === 0 ? 1 : 2)),
  )
})

test('one that waits for a lock delays no other, and is done once', async (t) => {
  const { source } = await openSource(t, url, { maxConnections: 30 })
  const statement = counting('rows')
  await untilShared(source, statement)
  await administrate('UPDATE item SET n = 0')
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  try {
    await holder.query('BEGIN; UPDATE item SET n = 100 WHERE id = 0')
    let isDone = false
    const held = asked(source, statement, 0).then(() => {
      isDone = true
    })
    await atOnce(source, statement, ids.slice(1))
    assert.equal(isDone, false)
    await holder.query('COMMIT')
    await held
  } finally {
    await holder.end()
  }
  const rows = await administrate('SELECT n FROM item WHERE id < 60 ORDER BY id')
  assert.deepEqual(
    rows.map(({ n }) => n),
    ids.map((id) => (id === 0 ? 101 : 1)),
  )
})

for (const limit of ['0', '30s'])
  test(`one that takes long delays no other, and is done once: the session's limit of time is ${limit}`, async (t) => {
    const limited = new URL(url)
    limited.searchParams.set('options', `-c statement_timeout=${limit}`)
    const { source } = await openSource(t, limited.href, { maxConnections: 30 })
    const statement = counting('rows')
    await untilShared(source, statement)
    const slow: Statement = { ...plan('UPDATE item SET n = n + once_open() WHERE id = ($1)::int', 1), effects: 'rows' }
    await administrate('UPDATE item SET n = 0; UPDATE gate SET open = false; ALTER SEQUENCE began RESTART')
    try {
      let isDone = false
      const waiting = source.runTransaction([{ plan: slow, parameters: ['0'] }]).then(() => {
        isDone = true
      })
      await atOnce(source, statement, ids.slice(1))
      assert.equal(isDone, false)
      const began = async () => (await administrate('SELECT last_value::int AS n FROM began'))[0]?.n
      while ((await began()) !== 2);
      await administrate('UPDATE gate SET open = true')
      await waiting
    } finally {
      await administrate('UPDATE gate SET open = true')
    }
    const rows = await administrate('SELECT n FROM item WHERE id < 60 ORDER BY id')
    assert.deepEqual(
      rows.map(({ n }) => n),
      ids.map(() => 1),
    )
    const [began] = await administrate('SELECT last_value::int AS n FROM began')
    assert.equal(began?.n, 2)
  })

test('if the server ends the connection, all other transactions are done once on another one', async (t) => {
  const { source } = await openSource(t, url, { maxConnections: 30 })
  const statement = counting('rows')
  await untilShared(source, statement)
  await administrate('UPDATE item SET n = 0')
  const deadly: Statement = {
    ...plan('UPDATE item SET n = n + 1 WHERE id = ($1)::int AND pg_terminate_backend(pg_backend_pid())', 1),
    effects: 'rows',
  }
  const died = await Promise.allSettled([
    source.runTransaction([{ plan: deadly, parameters: ['0'] }]),
    ...ids.slice(1).map((id) => asked(source, statement, id)),
  ])
  assert.deepEqual(
    died.map(({ status }) => status),
    ids.map((id) => (id === 0 ? 'rejected' : 'fulfilled')),
  )
  const rows = await administrate('SELECT n FROM item WHERE id < 60 ORDER BY id')
  assert.deepEqual(
    rows.map(({ n }) => n),
    ids.map((id) => (id === 0 ? 0 : 1)),
  )
})

test('what may run something of a user shares nothing', async (t) => {
  const { source } = await openSource(t, url, { maxConnections: 30 })
  const statement = counting('writes')
  for (let round = 0; round < 5; round++) await atOnce(source, statement, ids)
  assert.ok(backends(await atOnce(source, statement, ids)) > 4)
})

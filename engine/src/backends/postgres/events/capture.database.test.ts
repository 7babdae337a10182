import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { Path } from '../../../errors.ts'
import type { Capture, CaptureChange } from '../../event-store.ts'
import { administrator, openSource } from '../connect/source.fixture.ts'

const nothing: CaptureChange = { drop: [], archive: [], forget: false, install: [] }

/** A database with a table, and what changes its captures. */
async function open(t: TestContext, tables: string, { stringifyNumericTypes = false } = {}) {
  const { url } = await createTestDatabase(t)
  const run = administrator(url)
  await run(tables)
  const { source } = await openSource(t, url)
  const change = (part: Partial<CaptureChange>) =>
    source.openTransaction?.(Path.root, async ({ changeCapture }) =>
      changeCapture?.({ ...nothing, ...part }, { stringifyNumericTypes }, Path.root),
    )
  const capture = async (
    table: string,
    operations: Capture['operations'],
    more: Partial<Capture> = {},
  ): Promise<Capture> => {
    const found = (await source.introspect(null)).tables.get(`public.${table}`)
    assert.ok(found, table)
    return { trigger: 'watch', table: found.table, columns: found.columns, operations, onReplication: false, ...more }
  }
  const events = async () => {
    const rows = await run('SELECT payload FROM svc_catalog.event_log ORDER BY created_at, payload::text')
    return rows.map(({ payload }) => payload as { op: string; data: { old: unknown; new: unknown } })
  }
  return { run, source, change, capture, events, url }
}

const all = { listen: '*', payload: '*' } as const

test('every change of a row is an event with the row before and after', async (t) => {
  const { run, change, capture, events } = await open(t, 'CREATE TABLE a (id int PRIMARY KEY, name text)')
  await change({ install: [await capture('a', { insert: all, update: all, delete: all })] })
  await run(`SELECT set_config('svc.user', '{"x-svc-role":"user"}', false);
    SELECT set_config('svc.tracecontext', '{"trace_id":"1"}', false);
    INSERT INTO a VALUES (1, 'one')`)
  await run(`UPDATE a SET name = 'two'`)
  await run('UPDATE a SET name = name')
  await run('DELETE FROM a')
  assert.deepEqual(await events(), [
    {
      op: 'INSERT',
      data: { old: null, new: { id: 1, name: 'one' } },
      session_variables: { 'x-svc-role': 'user' },
      trace_context: { trace_id: '1' },
    },
    {
      op: 'UPDATE',
      data: { old: { id: 1, name: 'one' }, new: { id: 1, name: 'two' } },
      session_variables: null,
      trace_context: null,
    },
    { op: 'DELETE', data: { old: { id: 1, name: 'two' }, new: null }, session_variables: null, trace_context: null },
  ])
})

test('an update counts where listened columns change, NULL and json compared too; the payload is a choice of its own', async (t) => {
  const { run, change, capture, events } = await open(
    t,
    `CREATE TABLE a (id int PRIMARY KEY, b text, j json, big numeric);
     INSERT INTO a VALUES (1, NULL, '{}', 1.0)`,
  )
  const listening = (listen: readonly string[]) => ({ update: { listen, payload: ['id', 'big'] } })
  await change({ install: [await capture('a', listening(['b']))] })
  await run(`UPDATE a SET b = NULL, big = 12345678901234567890.5`)
  assert.equal((await events()).length, 0)
  await run(`UPDATE a SET b = 'x'`)
  const shown = await run(`SELECT (payload -> 'data')::text AS data FROM svc_catalog.event_log`)
  assert.deepEqual(shown, [
    {
      data: '{"new": {"id": 1, "big": 12345678901234567890.5}, "old": {"id": 1, "big": 12345678901234567890.5}}',
    },
  ])
  await change({ install: [await capture('a', listening(['j', 'b']))] })
  await run(`UPDATE a SET big = 2`)
  assert.equal((await events()).length, 1)
  await run(`UPDATE a SET j = '[1]'`)
  assert.equal((await events()).length, 2)
})

test('types that only the database can compare are compared', async (t) => {
  const { run, change, capture, events } = await open(
    t,
    `CREATE TYPE pair AS (a int, j json); CREATE DOMAIN short AS text;
     CREATE TABLE a (id int, p pair, s short, l int[]); INSERT INTO a VALUES (1, (1, '{}'), 's', '{1}')`,
  )
  await change({ install: [await capture('a', { update: all })] })
  await run('UPDATE a SET id = 1')
  assert.equal((await events()).length, 0)
  await run(`UPDATE a SET p = (1, '[]')`)
  await run(`UPDATE a SET l = '{2}'`)
  assert.equal((await events()).length, 2)
})

test('numbers are texts where numeric types are stringified', async (t) => {
  const { run, change, capture, events } = await open(t, 'CREATE TABLE a (id bigint, n numeric, d float8, i int)', {
    stringifyNumericTypes: true,
  })
  await change({ install: [await capture('a', { insert: all })] })
  await run('INSERT INTO a VALUES (1, NULL, 0.5, 4)')
  assert.deepEqual((await events())[0]?.data.new, { id: '1', n: null, d: '0.5', i: 4 })
})

test('a client that may not read svc_catalog is captured, and cannot make events itself', async (t) => {
  const { run, change, capture, events, url } = await open(t, 'CREATE TABLE a (id int)')
  const name = `guest_${new URL(url).pathname.slice(1)}`
  await change({ install: [await capture('a', { insert: all })] })
  await run(`CREATE ROLE ${name} LOGIN PASSWORD 'guest'; GRANT INSERT ON a TO ${name}`)
  const address = new URL(url)
  address.username = name
  address.password = 'guest'
  const guest = administrator(address.href)
  try {
    await guest('INSERT INTO a VALUES (1)')
    assert.equal((await events()).length, 1)
    await assert.rejects(guest(`SELECT svc_catalog.insert_event_log('public', 'a', 'watch', 'INSERT', '{}')`))
  } finally {
    // before the database, which knows of the role
    await run(`DROP OWNED BY ${name}; DROP ROLE ${name}`)
  }
})

test('partitions are captured, written to directly too; names that need quoting are quoted', async (t) => {
  const { run, change, capture, events } = await open(
    t,
    `CREATE TABLE "it's ""me""" (id int, "a-b\\c" text) PARTITION BY RANGE (id);
     CREATE TABLE part PARTITION OF "it's ""me""" FOR VALUES FROM (0) TO (10)`,
  )
  await change({
    install: [await capture('it\'s "me"', { insert: all, update: { listen: ['a-b\\c'], payload: '*' } })],
  })
  await run(`INSERT INTO part VALUES (1, 'x')`)
  await run(`UPDATE "it's ""me""" SET "a-b\\c" = 'y'`)
  assert.deepEqual(
    (await events()).map(({ op, data }) => [op, data.new]),
    [
      ['INSERT', { id: 1, 'a-b\\c': 'x' }],
      ['UPDATE', { id: 1, 'a-b\\c': 'y' }],
    ],
  )
})

test('a trigger that moves, loses an operation or follows replication is changed where it stands', async (t) => {
  const { run, change, capture, events } = await open(t, 'CREATE TABLE a (id int); CREATE TABLE b (id int)')
  const states = () =>
    run(`SELECT tgrelid::regclass::text AS "table", tgname AS name, tgenabled AS enabled FROM pg_trigger
         WHERE NOT tgisinternal ORDER BY 1, 2`)
  await change({ install: [await capture('a', { insert: all, delete: all })] })
  await change({ install: [await capture('a', { insert: all }, { onReplication: true })] })
  assert.deepEqual(await states(), [{ table: 'a', name: 'notify_svc_watch_INSERT', enabled: 'A' }])
  await change({ install: [await capture('b', { insert: all })] })
  assert.deepEqual(await states(), [{ table: 'b', name: 'notify_svc_watch_INSERT', enabled: 'O' }])
  await run('INSERT INTO a VALUES (1); INSERT INTO b VALUES (2)')
  assert.deepEqual(
    (await events()).map(({ data }) => data.new),
    [{ id: 2 }],
  )
})

test('a trigger that is gone leaves its events archived; a source that is gone leaves nothing', async (t) => {
  const { run, change, capture } = await open(t, 'CREATE TABLE a (id int)')
  await change({ install: [await capture('a', { insert: all })] })
  await run('INSERT INTO a VALUES (1)')
  const drop = [{ trigger: 'watch', operations: ['insert', 'update', 'delete'] as const }]
  await change({ drop, archive: ['watch'] })
  await run('INSERT INTO a VALUES (2)')
  assert.deepEqual(await run('SELECT archived FROM svc_catalog.event_log'), [{ archived: true }])
  await change({ forget: true })
  assert.deepEqual(await run(`SELECT to_regnamespace('svc_catalog') AS schema`), [{ schema: null }])
})

/** Event triggers that come and move inside one bulk (reference/event-triggers#in-the-database). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startReceiver } from './receiver.ts'

const all = { columns: '*' }

async function start(t: { after(cleanUp: () => Promise<void>): void }) {
  const receiver = await startReceiver()
  const { url, drop } = await createTestDatabase()
  await runOnDatabase(url, 'CREATE TABLE one (id int PRIMARY KEY); CREATE TABLE two (id int PRIMARY KEY)')
  const engine = await startEngine({ databaseUrl: url })
  // the engine first: without its database it could not store what became of its deliveries
  t.after(async () => {
    await engine.stop()
    await receiver.close()
    await drop()
  })
  for (const table of ['one', 'two']) await ok(engine, '/v1/metadata', { type: 'pg_track_table', args: { table } })
  return { receiver, url, engine }
}

async function ok(engine: Engine, path: string, body: object) {
  const answer = await engine.post(path, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Of the database: which triggers stand on which tables. */
const triggersIn = async (url: string) =>
  (
    await runOnDatabase(
      url,
      `SELECT tgname || ' on ' || tgrelid::regclass AS t FROM pg_trigger WHERE tgname LIKE 'notify_svc_%' ORDER BY 1`,
    )
  ).map(({ t }) => t)

test('rows that a bulk writes after it has made a trigger are captured', async (t) => {
  const { receiver, engine } = await start(t)
  const trigger = { name: 'new', table: 'one', insert: all, webhook: receiver.url, enable_manual: true }
  const answers = await ok(engine, '/v1/query', {
    type: 'bulk',
    args: [
      { type: 'create_event_trigger', args: trigger },
      { type: 'insert', args: { table: 'one', objects: [{ id: 1 }] } },
      { type: 'run_sql', args: { sql: 'INSERT INTO one VALUES (2)' } },
      { type: 'invoke_event_trigger', args: { name: 'new', payload: { id: 3 } } },
    ],
  })
  assert.equal(answers.length, 4)
  const received = [await receiver.next(), await receiver.next(), await receiver.next()]
  assert.deepEqual(received.map(({ body }) => body.event.data.new.id).toSorted(), [1, 2, 3])
})

test('a bulk that fails leaves nothing of the triggers that it created, and those that it dropped capture again', async (t) => {
  const { receiver, engine, url } = await start(t)
  const trigger = (name: string, table: string) => ({ name, table, insert: all, webhook: receiver.url })
  await ok(engine, '/v1/query', { type: 'create_event_trigger', args: trigger('kept', 'one') })
  const failed = await engine.post('/v1/query', {
    type: 'bulk',
    args: [
      { type: 'create_event_trigger', args: trigger('passing', 'two') },
      { type: 'delete_event_trigger', args: { name: 'kept' } },
      { type: 'insert', args: { table: 'two', objects: [{ id: 1 }] } },
      { type: 'insert', args: { table: 'two', objects: [{ id: 1 }] } },
    ],
  })
  assert.equal(failed.status, 400)
  assert.deepEqual(await triggersIn(url), ['notify_svc_kept_INSERT on one'])
  await runOnDatabase(url, 'INSERT INTO one VALUES (7)')
  assert.equal((await receiver.next()).body.event.data.new.id, 7)
})

test('a trigger that a bulk creates, uses and drops again is gone', async (t) => {
  const { receiver, engine, url } = await start(t)
  const trigger = { name: 'passing', table: 'one', insert: all, webhook: receiver.url }
  await ok(engine, '/v1/query', {
    type: 'bulk',
    args: [
      { type: 'create_event_trigger', args: trigger },
      { type: 'insert', args: { table: 'one', objects: [{ id: 1 }] } },
      { type: 'delete_event_trigger', args: { name: 'passing' } },
    ],
  })
  assert.deepEqual(await triggersIn(url), [])
})

test('a trigger moves from one source to another over the same database within a bulk', async (t) => {
  const { receiver, engine, url } = await start(t)
  // the same database in other words
  const other = new URL(url)
  other.searchParams.set('application_name', 'other')
  const configuration = { connection_info: { database_url: other.href } }
  const metadata = (type: string, args: unknown) => ok(engine, '/v1/metadata', { type, args })
  const customization = { root_fields: { prefix: 'other_' }, type_names: { prefix: 'other_' } }
  await metadata('pg_add_source', { name: 'other', configuration, customization })
  await metadata('pg_track_table', { source: 'other', table: 'two' })
  const trigger = (source: string, table: string) => ({
    type: 'pg_create_event_trigger',
    args: { name: 'moving', source, table, insert: all, webhook: `${receiver.url}/${source}` },
  })
  const left = (source: string) => ({ type: 'pg_delete_event_trigger', args: { name: 'moving', source } })
  await metadata('bulk', [trigger('default', 'one')])
  await metadata('bulk', [left('default'), trigger('other', 'two')])
  assert.deepEqual(await triggersIn(url), ['notify_svc_moving_INSERT on two'])
  await runOnDatabase(url, 'INSERT INTO two VALUES (1)')
  const first = await receiver.next()
  assert.deepEqual([first.path, first.body.event.data.new.id], ['/other', 1])
  await metadata('bulk_atomic', [left('other'), trigger('default', 'one')])
  assert.deepEqual(await triggersIn(url), ['notify_svc_moving_INSERT on one'])
  // the other source is given up in the same request
  await metadata('bulk', [left('default'), trigger('other', 'two')])
  await metadata('bulk', [
    { type: 'pg_drop_source', args: { name: 'other', cascade: true } },
    trigger('default', 'one'),
  ])
  assert.deepEqual(await triggersIn(url), ['notify_svc_moving_INSERT on one'])
  await runOnDatabase(url, 'INSERT INTO one VALUES (2)')
  const last = await receiver.next()
  assert.deepEqual([last.path, last.body.event.data.new.id], ['/default', 2])
})

test('two sources over one database have no trigger of one name, on whichever tables', async (t) => {
  const { receiver, engine, url } = await start(t)
  const source = {
    name: 'other',
    configuration: { connection_info: { database_url: url } },
    customization: { root_fields: { prefix: 'other_' }, type_names: { prefix: 'other_' } },
  }
  await ok(engine, '/v1/metadata', { type: 'pg_add_source', args: source })
  for (const table of ['one', 'two'])
    await ok(engine, '/v1/metadata', { type: 'pg_track_table', args: { source: 'other', table } })
  const create = (source: string, table: string) => ({
    type: 'pg_create_event_trigger',
    args: { source, name: 'same', table, insert: all, webhook: receiver.url },
  })
  await ok(engine, '/v1/metadata', create('default', 'one'))
  const before = await triggersIn(url)
  for (const table of ['one', 'two']) {
    const refused = await engine.post('/v1/metadata', create('other', table))
    assert.equal(refused.status, 400, refused.text)
    assert.deepEqual(refused.body, {
      code: 'already-exists',
      path: '$.args',
      error: 'Event trigger with name "same" already exists',
    })
  }
  const inBulk = await engine.post('/v1/metadata', { type: 'bulk', args: [create('other', 'two')] })
  assert.equal(inBulk.status, 400, inBulk.text)
  assert.deepEqual(await triggersIn(url), before)
  await ok(engine, '/v1/metadata', { type: 'pg_delete_event_trigger', args: { name: 'same' } })
  await ok(engine, '/v1/metadata', create('other', 'two'))
})

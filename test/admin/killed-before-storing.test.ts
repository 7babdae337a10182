/** An engine that is killed inside a bulk whose event triggers are in the database already, and whose document is not stored. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { runOnDatabase } from './run-on-database.ts'

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (await holds()) return
    await setTimeout(50)
  }
  assert.fail('it never came to that')
}

const pendingEntries = (databaseUrl: string) =>
  runOnDatabase(databaseUrl, 'SELECT FROM svc_catalog.pending_source_change')

const untilSettled = (databaseUrl: string) => until(async () => (await pendingEntries(databaseUrl)).length === 0)

async function triggersIn(databaseUrl: string): Promise<readonly string[]> {
  const rows = await runOnDatabase(
    databaseUrl,
    `SELECT tgrelid::regclass || '.' || tgname AS name FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`,
  )
  return rows.map(({ name }) => String(name))
}

/** A lock on which scripts wait that call `wait`. */
async function lockOn(databaseUrl: string, t: TestContext) {
  const holder = new pg.Client({ connectionString: databaseUrl })
  holder.on('error', () => {})
  await holder.connect()
  t.after(() => holder.end())
  await holder.query('SELECT pg_advisory_lock(7)')
  return {
    wait: { type: 'run_sql', args: { sql: 'SELECT pg_advisory_xact_lock(7)' } },
    waited: () =>
      until(async () => {
        const { rows } = await holder.query(
          `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database AND datname = current_database()
          WHERE locktype = 'advisory' AND NOT granted`,
        )
        return rows.length > 0
      }),
    unlock: () => holder.query('SELECT pg_advisory_unlock(7)'),
  }
}

const webhook = 'http://127.0.0.1:1/'
const create = (name: string, table: string, source = 'default') => ({
  type: 'create_event_trigger',
  args: { source, table, name, insert: { columns: '*' }, webhook },
})

async function startWithTriggers(t: TestContext) {
  const { url: databaseUrl } = await createTestDatabase(t)
  await runOnDatabase(databaseUrl, 'CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY)')
  const engine = await startEngine({ databaseUrl }, t)
  const ok = async (type: string, args: unknown) => {
    const answer = await engine.metadata(type, args)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  await ok('pg_track_table', { table: 'a' })
  await ok('pg_track_table', { table: 'b' })
  await ok('bulk', [create('kept', 'a'), create('dropped', 'a')])
  // of a user, of the same form
  await runOnDatabase(
    databaseUrl,
    `CREATE FUNCTION svc_catalog."notify_svc_other_INSERT"() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER "notify_svc_other_INSERT" AFTER INSERT ON b FOR EACH ROW EXECUTE FUNCTION svc_catalog."notify_svc_other_INSERT"()`,
  )
  return { databaseUrl, engine, ok, before: await triggersIn(databaseUrl) }
}

/** Makes one, drops one, and changes a third. */
const members = (wait: object) => [
  create('made', 'b'),
  { type: 'delete_event_trigger', args: { name: 'dropped' } },
  { type: 'run_sql', args: { sql: 'INSERT INTO b VALUES (1)' } },
  { type: 'create_event_trigger', args: { ...create('kept', 'a').args, delete: { columns: '*' }, replace: true } },
  wait,
]

const early = ['a."notify_svc_kept_DELETE"', 'a."notify_svc_kept_INSERT"', 'b."notify_svc_made_INSERT"']

test('what a killed engine has made of a database is set back to what metadata says', async (t) => {
  const { databaseUrl, engine, ok, before } = await startWithTriggers(t)
  const document = await ok('export_metadata', {})
  const lock = await lockOn(databaseUrl, t)
  const answer = engine.post('/v1/query', { type: 'bulk', args: members(lock.wait) }).catch(() => null)
  await lock.waited()
  const names = await triggersIn(databaseUrl)
  assert.deepEqual(names.map(unquoted), [...early, 'b."notify_svc_other_INSERT"'].map(unquoted))
  engine.kill('SIGKILL')
  await answer
  await engine.ended
  await lock.unlock()
  const again = await startEngine({ databaseUrl }, t)
  t.after(() => again.stop())
  await untilSettled(databaseUrl)
  assert.deepEqual(await triggersIn(databaseUrl), before)
  assert.deepEqual((await again.metadata('export_metadata', {})).body, document)
  // what was captured for a trigger that there never was is delivered no more
  const events = await runOnDatabase(databaseUrl, 'SELECT trigger_name, archived FROM svc_catalog.event_log')
  assert.deepEqual(events, [{ trigger_name: 'made', archived: true }])
})

test('what a killed engine has made in a source that it had renamed, or had just added, is reverted', async (t) => {
  const { databaseUrl, engine, before } = await startWithTriggers(t)
  const { url: added } = await createTestDatabase(t)
  await runOnDatabase(added, 'CREATE TABLE c (id int PRIMARY KEY)')
  const holder = new pg.Client({ connectionString: databaseUrl })
  holder.on('error', () => {})
  await holder.connect()
  t.after(() => holder.end())
  // on which the last member waits
  await holder.query('BEGIN; LOCK TABLE svc_catalog.event_log IN EXCLUSIVE MODE')
  const bulk = [
    { type: 'rename_source', args: { name: 'default', new_name: 'renamed' } },
    { ...create('made', 'b', 'renamed'), type: 'pg_create_event_trigger' },
    { type: 'pg_add_source', args: { name: 'added', configuration: { connection_info: { database_url: added } } } },
    { type: 'pg_track_table', args: { source: 'added', table: 'c' } },
    { ...create('made_too', 'c', 'added'), type: 'pg_create_event_trigger' },
    { type: 'pg_invoke_event_trigger', args: { source: 'renamed', name: 'kept', payload: {} } },
  ]
  const answer = engine.metadata('bulk', bulk).catch(() => null)
  await until(async () => (await triggersIn(databaseUrl)).length > before.length)
  await until(async () => (await triggersIn(added)).length === 1)
  engine.kill('SIGKILL')
  await answer
  await engine.ended
  await holder.query('ROLLBACK')
  const again = await startEngine({ databaseUrl }, t)
  t.after(() => again.stop())
  await untilSettled(databaseUrl)
  assert.deepEqual(await triggersIn(databaseUrl), before)
  assert.deepEqual(await triggersIn(added), [])
  assert.deepEqual(await runOnDatabase(added, `SELECT to_regnamespace('svc_catalog') AS left`), [{ left: null }])
})

test('another engine that starts meanwhile does not revert what a request is about to store', async (t) => {
  const { databaseUrl, engine } = await startWithTriggers(t)
  const lock = await lockOn(databaseUrl, t)
  const answer = engine.post('/v1/query', { type: 'bulk', args: members(lock.wait) })
  await lock.waited()
  const other = await startEngine({ databaseUrl }, t)
  t.after(() => other.stop())
  await lock.unlock()
  const { status, text } = await answer
  assert.equal(status, 200, text)
  const names = await triggersIn(databaseUrl)
  assert.deepEqual(names.map(unquoted), [...early, 'b."notify_svc_other_INSERT"'].map(unquoted))
  assert.deepEqual(await pendingEntries(databaseUrl), [])
  await engine.stop()
})

test('a request that lost its hold meanwhile has its triggers all the same', async (t) => {
  const { databaseUrl, engine } = await startWithTriggers(t)
  const lock = await lockOn(databaseUrl, t)
  const answer = engine.post('/v1/query', { type: 'bulk', args: members(lock.wait) })
  await lock.waited()
  const ended = await runOnDatabase(
    databaseUrl,
    `SELECT pg_terminate_backend(pid, 60000) FROM pg_locks
    WHERE locktype = 'advisory' AND classid = 723628375 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  )
  assert.equal(ended.length, 1)
  // which takes the first for dead
  const other = await startEngine({ databaseUrl }, t)
  t.after(() => other.stop())
  await untilSettled(databaseUrl)
  assert.ok(!(await triggersIn(databaseUrl)).some((name) => name.includes('made')))
  await lock.unlock()
  const { status, text } = await answer
  assert.equal(status, 200, text)
  const names = await triggersIn(databaseUrl)
  assert.deepEqual(names.map(unquoted), [...early, 'b."notify_svc_other_INSERT"'].map(unquoted))
  await engine.stop()
})

const unquoted = (name: string) => name.replaceAll('"', '')

/** An engine that is killed while a source commits run_sql or event triggers, whose metadata is stored already. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { runOnDatabase } from './run-on-database.ts'

/** A commit that takes a second, and then fails or not. */
const slowCommit = (fails: boolean) => `
  CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE slow (id int);
  CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_sleep(1); ${fails ? `RAISE EXCEPTION 'not today';` : ''} RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER slowly AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION slowly()`

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (await holds()) return
    await setTimeout(50)
  }
  assert.fail('it never came to that')
}

async function isCommitting(databaseUrl: string): Promise<boolean> {
  const rows = await runOnDatabase(
    databaseUrl,
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query = 'COMMIT' AND state = 'active'",
  )
  return rows.length === 1
}

const untilSettled = (databaseUrl: string) =>
  until(async () => {
    const rows = await runOnDatabase(databaseUrl, 'SELECT FROM svc_catalog.pending_source_change')
    return rows.length === 0
  })

for (const fails of [true, false])
  test(`metadata follows the database when that ${fails ? 'refuses' : 'finishes'} the commit of a killed engine`, async (t) => {
    const { url: databaseUrl } = await createTestDatabase(t)
    await runOnDatabase(databaseUrl, slowCommit(fails))
    const engine = await startEngine({ databaseUrl }, t)
    await engine.metadata('pg_track_table', { table: 'a' })
    const sql = 'ALTER TABLE a RENAME TO b; INSERT INTO slow VALUES (1)'
    const answer = engine.post('/v2/query', { type: 'run_sql', args: { sql } }).catch(() => null)
    await until(() => isCommitting(databaseUrl))
    engine.kill('SIGKILL')
    await answer
    await engine.ended
    const again = await startEngine({ databaseUrl }, t)
    t.after(() => again.stop())
    const tables = async () => {
      const { body } = await again.metadata('export_metadata', {})
      return body.sources[0].tables.map(({ table }: { table: { name: string } }) => table.name).join()
    }
    await untilSettled(databaseUrl)
    assert.equal(await tables(), fails ? 'a' : 'b')
    await again.metadata('reload_metadata', {})
    assert.deepEqual((await again.metadata('get_inconsistent_metadata', {})).body, [])
  })

/** From now on whatever makes a trigger in this database takes a second to commit. */
const slowTriggers = `
  CREATE FUNCTION mark() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO slow VALUES (1); END $$;
  CREATE EVENT TRIGGER mark ON ddl_command_end WHEN TAG IN ('CREATE TRIGGER') EXECUTE FUNCTION mark()`

const triggersOn = async (databaseUrl: string, table: string) => {
  const rows = await runOnDatabase(
    databaseUrl,
    `SELECT FROM pg_trigger WHERE tgrelid = 'public.${table}'::regclass AND NOT tgisinternal`,
  )
  return rows.length > 0
}

for (const fails of [true, false])
  test(`event triggers in two sources are there or not when one ${fails ? 'refuses' : 'finishes'} the commit of a killed engine`, async (t) => {
    const { url: databaseUrl } = await createTestDatabase(t)
    const { url: otherUrl } = await createTestDatabase(t)
    await runOnDatabase(databaseUrl, slowCommit(fails))
    await runOnDatabase(otherUrl, 'CREATE TABLE c (id int PRIMARY KEY)')
    const engine = await startEngine({ databaseUrl }, t)
    const ok = async (type: string, args: unknown) => {
      const answer = await engine.metadata(type, args)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    }
    await ok('pg_add_source', { name: 'other', configuration: { connection_info: { database_url: otherUrl } } })
    const trigger = (source: string, table: string, name: string) => ({
      type: 'pg_create_event_trigger',
      args: { source, table, name, insert: { columns: '*' }, webhook: 'http://127.0.0.1:1/' },
    })
    await ok('pg_track_table', { table: 'a' })
    await ok('pg_track_table', { source: 'other', table: 'c' })
    const before = await ok('export_metadata', {})
    await runOnDatabase(databaseUrl, slowTriggers)
    // the source of the first member commits last
    const answer = engine
      .metadata('bulk', [trigger('default', 'a', 'one'), trigger('other', 'c', 'two')])
      .catch(() => null)
    await until(() => isCommitting(databaseUrl))
    assert.ok(await triggersOn(otherUrl, 'c'))
    engine.kill('SIGKILL')
    await answer
    await engine.ended
    const again = await startEngine({ databaseUrl }, t)
    t.after(() => again.stop())
    await untilSettled(databaseUrl)
    assert.equal(await triggersOn(databaseUrl, 'a'), !fails)
    assert.equal(await triggersOn(otherUrl, 'c'), !fails)
    const { body } = await again.metadata('export_metadata', {})
    if (fails) assert.deepEqual(body, before)
    else assert.match(JSON.stringify(body), /"one".*"two"/)
  })

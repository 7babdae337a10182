/** An engine that is killed while a source commits run_sql, whose metadata is stored already. */
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

for (const fails of [true, false])
  test(`metadata follows the database when that ${fails ? 'refuses' : 'finishes'} the commit of a killed engine`, async (t) => {
    const { url: databaseUrl } = await createTestDatabase(t)
    await runOnDatabase(databaseUrl, slowCommit(fails))
    const engine = await startEngine({ databaseUrl }, t)
    await engine.metadata('pg_track_table', { table: 'a' })
    const sql = 'ALTER TABLE a RENAME TO b; INSERT INTO slow VALUES (1)'
    const answer = engine.post('/v2/query', { type: 'run_sql', args: { sql } }).catch(() => null)
    await until(async () => {
      const [row] = await runOnDatabase(
        databaseUrl,
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query = 'COMMIT' AND state = 'active'",
      )
      return row?.count === '1'
    })
    engine.kill('SIGKILL')
    await answer
    await engine.ended
    const again = await startEngine({ databaseUrl }, t)
    t.after(() => again.stop())
    const tables = async () => {
      const { body } = await again.metadata('export_metadata', {})
      return body.sources[0].tables.map(({ table }: { table: { name: string } }) => table.name).join()
    }
    await until(async () => {
      const rows = await runOnDatabase(databaseUrl, 'SELECT FROM svc_catalog.pending_source_change')
      return rows.length === 0
    })
    assert.equal(await tables(), fails ? 'a' : 'b')
    await again.metadata('reload_metadata', {})
    assert.deepEqual((await again.metadata('get_inconsistent_metadata', {})).body, [])
  })

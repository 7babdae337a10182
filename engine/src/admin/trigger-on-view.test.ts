import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../../../test/engine.ts'
import { createTestDatabase } from '../../../test/postgres.ts'

test('an event trigger on a view is refused, and inconsistent in a document that may hold what is', async (t) => {
  const engine = await startEngine({ databaseUrl: (await createTestDatabase(t)).url }, t)
  const sql =
    'CREATE TABLE album (id int PRIMARY KEY, year int); CREATE VIEW recent AS SELECT id FROM album WHERE year > 2020'
  assert.equal((await engine.post('/v2/query', { type: 'run_sql', args: { sql } })).status, 200)
  await engine.metadata('pg_track_tables', { tables: ['album', 'recent'] })
  const trigger = { name: 'on_recent', table: 'recent', insert: { columns: '*' }, webhook: 'http://127.0.0.1:1/' }
  const refused = await engine.metadata('pg_create_event_trigger', trigger)
  assert.deepEqual([refused.status, refused.body.code], [400, 'invalid-configuration'])
  assert.equal(
    refused.body.error,
    'Inconsistent object: in table "recent": in event trigger "on_recent": a view has no rows of its own that could be listened to',
  )
  const metadata = (await engine.metadata('export_metadata', {})).body
  const { name, insert, webhook } = trigger
  const view = metadata.sources[0].tables.find(({ table }: { table: { name: string } }) => table.name === 'recent')
  view.event_triggers = [{ name, definition: { enable_manual: false, insert }, webhook }]
  const replaced = await engine.metadata(
    'replace_metadata',
    { metadata, allow_inconsistent_metadata: true },
    { version: 2 },
  )
  assert.equal(replaced.status, 200, replaced.text)
  assert.deepEqual(
    replaced.body.inconsistent_objects.map((object: { name: string }) => object.name),
    ['event_trigger on_recent in table recent in source default'],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

test('a bulk that another instance outran does nothing twice, and reads what is stored in the end', async (t) => {
  const database = await createTestDatabase(t)
  const client = new pg.Client({ connectionString: database.url })
  // a failed assertion leaves it open
  client.on('error', () => {})
  await client.connect()
  await client.query('CREATE TABLE artist (id integer PRIMARY KEY); CREATE TABLE album (id integer PRIMARY KEY)')
  const env = { SVC_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL: '0' }
  const [one, other] = await Promise.all([
    startEngine({ databaseUrl: database.url, env }, t),
    startEngine({ databaseUrl: database.url, env }, t),
  ])
  // the bulk has read its version by the time that it waits for this
  await client.query('BEGIN; LOCK TABLE svc_catalog.svc_scheduled_events IN EXCLUSIVE MODE')
  const event = { webhook: 'http://127.0.0.1:1/', schedule_at: '2040-01-01T00:00:00Z' }
  const bulk = one.metadata('bulk', [
    { type: 'pg_track_table', args: { table: 'artist' } },
    { type: 'create_scheduled_event', args: event },
    { type: 'set_catalog_state', args: { type: 'cli', state: { one: 1 }, expected: {} } },
    { type: 'export_metadata', args: {} },
  ])
  const waits = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'svc_catalog.svc_scheduled_events'::regclass`
  while ((await client.query(waits)).rows.length === 0);
  assert.equal((await other.metadata('pg_track_table', { table: 'album' })).status, 200)
  await client.query('COMMIT')
  const answer = await bulk
  assert.equal(answer.status, 200, answer.text)
  await one.observed('metadata-outrun')
  const [, created, , exported] = answer.body
  const tables = exported.sources[0].tables.map(({ table }: { table: { name: string } }) => table.name)
  assert.deepEqual(tables, ['album', 'artist'])
  const { rows } = await client.query('SELECT id FROM svc_catalog.svc_scheduled_events')
  assert.deepEqual(rows, [{ id: created.event_id }])
  await client.end()
})

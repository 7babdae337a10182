/** Two engines on one catalogue: how long until the second serves what was changed through the first. */
import assert from 'node:assert/strict'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

/**
 * Milliseconds from the first engine's answer until the second says that it serves the change, per change. Polling is
 * switched off, so only notifications can have reached it. What it serves is checked by asking it.
 */
export async function followChanges(changes: number): Promise<readonly number[]> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('CREATE TABLE artist (id integer PRIMARY KEY); INSERT INTO artist VALUES (1)')
  await client.end()
  const options = { databaseUrl: database.url, env: { SVC_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL: '0' } }
  const writer = await startEngine(options)
  const reader = await startEngine(options)
  try {
    const times: number[] = []
    for (let i = 0; i < changes; i++) times.push(await followChange(writer, reader, i % 2 === 0))
    return times
  } finally {
    await Promise.all([writer.stop(), reader.stop()])
    await database.drop()
  }
}

async function followChange(writer: Engine, reader: Engine, track: boolean): Promise<number> {
  const answer = await writer.metadata(track ? 'pg_track_table' : 'pg_untrack_table', { table: 'artist' })
  assert.equal(answer.status, 200)
  const answered = performance.now()
  const version = Number(answer.headers['x-svc-resource-version'])
  await reader.observed('metadata-synchronised', ({ resourceVersion }) => resourceVersion === version)
  const milliseconds = performance.now() - answered
  const { body } = await reader.post('/v1/graphql', { query: '{ artist { id } }' })
  if (track) assert.deepEqual(body, { data: { artist: [{ id: 1 }] } })
  else assert.equal(body.errors[0].extensions.code, 'validation-failed')
  return milliseconds
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { followChanges } from './follow-changes.ts'

test('a change through one engine is served by another on the same catalogue', async (t) => {
  const times = await followChanges(10)
  assert.equal(times.length, 10)
  t.diagnostic(`milliseconds: ${times.map((time) => time.toFixed(0)).join(' ')}`)
})

test('what one engine stored the other exports at once, without waiting for news', async (t) => {
  const database = await createTestDatabase(t)
  const options = { databaseUrl: database.url, env: { SVC_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL: '0' } }
  const [one, other] = await Promise.all([startEngine(options, t), startEngine(options, t)])
  for (let i = 0; i < 5; i++) {
    const name = `source${i}`
    const added = await one.metadata('pg_add_source', {
      name,
      configuration: { connection_info: { database_url: { from_env: 'SVC_GRAPHQL_DATABASE_URL' } } },
    })
    assert.equal(added.status, 200)
    const exported = await other.metadata('export_metadata', {}, { version: 2 })
    assert.equal(exported.body.resource_version, 2 + i)
    assert.ok(exported.text.includes(`"${name}"`))
  }
})

test('what SQL through one engine makes of a table is served by the other, also where metadata remains as it was', async (t) => {
  const database = await createTestDatabase(t)
  const options = { databaseUrl: database.url, env: { SVC_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL: '0' } }
  const [one, other] = await Promise.all([startEngine(options, t), startEngine(options, t)])
  const runSql = (sql: string) => ({ type: 'run_sql', args: { sql } })
  const served = async () => {
    await other.observed('sources-reloaded')
    return (await other.post('/v1/graphql', { query: '{ __type(name: "artist") { fields { name } } }' })).text
  }
  await one.post('/v2/query', runSql('CREATE TABLE artist (id integer PRIMARY KEY)'))
  await one.metadata('pg_track_table', { table: 'artist' })
  await one.post('/v2/query', runSql('ALTER TABLE artist ADD COLUMN one int'))
  assert.match(await served(), /"one"/)
  await one.post('/v2/query', { type: 'bulk', args: [runSql('ALTER TABLE artist ADD COLUMN two int')] })
  assert.match(await served(), /"two"/)
  // the SQL of a bulk stays when the bulk fails
  const failing = [runSql('ALTER TABLE artist ADD COLUMN three int'), runSql('nonsense')]
  assert.equal((await one.post('/v2/query', { type: 'bulk', args: failing })).status, 400)
  assert.match(await served(), /"three"/)
})

test('of two engines that write at once neither loses a change, and a given version is refused to the second', async (t) => {
  const database = await createTestDatabase(t)
  const [one, other] = await Promise.all([
    startEngine({ databaseUrl: database.url }, t),
    startEngine({ databaseUrl: database.url }, t),
  ])
  const add = (engine: typeof one, name: string, more = {}) =>
    engine.metadata(
      'pg_add_source',
      { name, configuration: { connection_info: { database_url: { from_env: 'SVC_GRAPHQL_DATABASE_URL' } } } },
      more,
    )
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((i) => add(i % 2 === 0 ? one : other, `s${i}`)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200],
  )
  const exported = await one.metadata('export_metadata', {}, { version: 2 })
  assert.equal(exported.body.resource_version, 7)
  assert.equal(exported.body.metadata.sources.length, 7)
  const raced = await Promise.all([add(one, 'a', { resource_version: 7 }), add(other, 'b', { resource_version: 7 })])
  assert.deepEqual(raced.map(({ status }) => status).sort(), [200, 409])
  const loser = raced.find(({ status }) => status === 409)
  assert.equal(loser?.body.error, 'metadata resource version referenced (7) did not match current version')
})

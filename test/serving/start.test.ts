import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

test('an engine on an empty database serves the source of its URL, and again after a restart', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  const first = await startEngine({ databaseUrl }, t)
  assert.equal((await first.get('/healthz')).text, 'OK')
  const before = await first.metadata('export_metadata', {})
  assert.equal(before.body.sources[0].configuration.connection_info.database_url.from_env, 'SVC_GRAPHQL_DATABASE_URL')
  await first.stop()
  assert.equal(await first.ended, 0)
  const second = await startEngine({ databaseUrl }, t)
  const after = await second.metadata('export_metadata', {})
  assert.equal(after.text, before.text)
  assert.equal(after.headers['x-svc-catalog-id'], before.headers['x-svc-catalog-id'])
})

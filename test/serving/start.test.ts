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

test('the settings of the first start shape its source, those of a later one do not', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  const pool = async (env: Record<string, string>) => {
    const engine = await startEngine({ databaseUrl, env }, t)
    const { body } = await engine.metadata('export_metadata', {})
    await engine.stop()
    const { isolation_level: level, pool_settings: settings } = body.sources[0].configuration.connection_info
    return [level, settings.max_connections]
  }
  const first = { SVC_GRAPHQL_PG_CONNECTIONS: '7', SVC_GRAPHQL_TX_ISOLATION: 'serializable' }
  assert.deepEqual(await pool(first), ['serializable', 7])
  assert.deepEqual(await pool({ SVC_GRAPHQL_PG_CONNECTIONS: '9' }), ['serializable', 7])
})

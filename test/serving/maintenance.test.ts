import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

const main = new URL('../../engine/bin/svc-engine.js', import.meta.url).pathname

function run(...words: readonly string[]) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_GRAPHQL_')))
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], { env, encoding: 'utf8' })
  return { status, stdout: stdout.trim(), stderr: stderr.trim() }
}

test('a catalogue goes back to an older version, is served so in maintenance, and migrated again', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  const maintenance = { SVC_GRAPHQL_ENABLE_MAINTENANCE_MODE: 'true' }
  await assert.rejects(startEngine({ databaseUrl, env: maintenance }, t), /no metadata yet/)
  const first = await startEngine({ databaseUrl }, t)
  await first.stop()
  const dry = run('--database-url', databaseUrl, 'downgrade', '--to-catalog-version', '1', '--dryRun')
  assert.deepEqual([dry.status, dry.stderr], [0, ''])
  assert.match(dry.stdout, /DROP TABLE/)
  const done = run('downgrade', '--database-url', databaseUrl, '--to-catalog-version=1')
  assert.deepEqual([done.status, done.stdout], [0, 'downgraded the catalogue to version 1'])

  const frozen = await startEngine({ databaseUrl, env: { ...maintenance, SVC_GRAPHQL_DISABLE_EVENTING: 'true' } }, t)
  assert.equal((await frozen.observed('catalogue-migrated')).to, 1)
  const refused = await frozen.metadata('add_inherited_role', { role_name: 'a', role_set: ['b'] })
  assert.deepEqual([refused.status, refused.body.error], [500, 'metadata cannot be modified in maintenance mode'])
  assert.equal((await frozen.metadata('export_metadata', {})).status, 200)
  assert.equal((await frozen.metadata('reload_metadata', {})).status, 200)
  const usage = await frozen.metadata('get_usage', {})
  assert.deepEqual([usage.status, usage.body.counted, usage.body.operations], [200, false, []])
  const role = { role_name: 'a', role_set: ['b'] }
  const previewed = await frozen.metadata('add_inherited_role', role, { dry_run: { preview: true } })
  assert.equal(previewed.status, 200, previewed.text)
  assert.equal((await frozen.post('/v1/graphql', { query: '{ __typename }' })).status, 200)
  await frozen.stop()

  const defaults = { api_limits: { depth_limit: { global: 1, per_role: {} } } }
  const env = { SVC_GRAPHQL_ENABLE_READ_ONLY_MODE: 'true', SVC_GRAPHQL_METADATA_DEFAULTS: JSON.stringify(defaults) }
  const again = await startEngine({ databaseUrl, env }, t)
  assert.ok((await again.observed('catalogue-migrated')).to > 1)
  const { body } = await again.metadata('add_inherited_role', { role_name: 'a', role_set: ['b'] })
  assert.equal(body.error, 'metadata cannot be modified in read-only mode')
  const tried = await again.metadata('add_inherited_role', { role_name: 'a', role_set: ['b'] }, { dry_run: true })
  assert.equal(tried.status, 200, tried.text)
  const deep = await again.post('/v1/graphql', { query: '{ a { b } }' }, { 'x-svc-role': 'user' })
  assert.equal(deep.body.errors[0].extensions.code, 'depth-limit-exceeded')
  assert.equal((await again.metadata('export_metadata', {})).body.api_limits, undefined)
})

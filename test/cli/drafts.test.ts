import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeMetadataTo } from '../../provider/src/directory/index.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { album, artist, createMusicTables, musicMetadata } from './music-tables.ts'
import { createSvcFolder } from './svc.ts'

test('a plan leaves a draft, which is applied as it is or, after another change, not at all', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  await createMusicTables(databaseUrl)
  const engine = await startEngine({ databaseUrl }, t)
  const folder = await createSvcFolder(engine, t)
  const { resource_version: before } = (await engine.metadata('export_metadata', {}, { version: 2 })).body

  await writeMetadataTo(join(folder.path, 'metadata'), musicMetadata([album, artist], {}))
  const draft = async (...options: readonly string[]) => {
    const { code, stdout, stderr } = await folder.svc('plan', '--draft', ...options)
    assert.equal(code, 0, stderr)
    const [, hash = ''] = /^draft ([0-9a-f]{64}), until /m.exec(stdout + stderr) ?? []
    const [, path = ''] = /(\/v1\/drafts\/\S+)/.exec(stdout + stderr) ?? []
    return { hash, path }
  }
  const first = await draft()
  const asked = { query: '{ album { id } }' }
  assert.deepEqual((await engine.post(first.path, asked)).body, { data: { album: [] } })
  assert.ok((await engine.post('/v1/graphql', asked)).body.errors)

  await engine.metadata('set_api_limits', { disabled: false, depth_limit: { global: 50 } })
  const late = await folder.svc('apply', '--draft', first.hash)
  assert.equal(late.code, 1)
  assert.match(late.stderr, /the metadata has changed since the draft was made, so nothing was stored: plan it again/)
  assert.ok((await engine.post('/v1/graphql', asked)).body.errors)

  const second = await draft()
  const applied = await folder.svc('apply', '--draft', second.hash)
  assert.deepEqual([applied.code, applied.stdout], [0, 'Metadata applied\n'], applied.stderr)
  assert.deepEqual((await engine.post('/v1/graphql', asked)).body, { data: { album: [] } })
  assert.equal((await folder.svc('plan', '--detailed-exitcode')).code, 0)

  const back = await draft('--back-to', String(before))
  assert.equal((await folder.svc('apply', '--draft', back.hash)).code, 0)
  assert.ok((await engine.post('/v1/graphql', asked)).body.errors)
})

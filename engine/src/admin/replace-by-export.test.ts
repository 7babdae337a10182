import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRemoteServer } from '../../../test/serving/remote-server.ts'
import { startService } from '../../test/metadata-service.ts'

test('metadata replaced by its own export keeps its version, and nothing is resolved or asked again', async (t) => {
  const remote = await startRemoteServer('type Query { hits: Int }', {})
  t.after(() => remote.close())
  const { metadata, service, version } = await startService(t, 'CREATE TABLE album (id int PRIMARY KEY, title text)')
  const queries = [{ name: 'Albums', query: '{ album { id } }' }]
  for (const [type, args] of [
    ['pg_track_table', { table: 'album' }],
    ['add_remote_schema', { name: 'charts', definition: { url: remote.url } }],
    ['create_query_collection', { name: 'shop', definition: { queries } }],
    [
      'create_rest_endpoint',
      {
        name: 'albums',
        url: 'albums',
        methods: ['GET'],
        definition: { query: { collection_name: 'shop', query_name: 'Albums' } },
      },
    ],
  ] as const)
    assert.equal((await metadata(type, args)).status, 200)
  const before = version()
  remote.forget()
  assert.equal((await metadata('replace_metadata', (await metadata('export_metadata')).body)).status, 200)
  assert.equal(version(), before)
  assert.equal(service.current().model.rebuilt, 0)
  assert.equal(remote.asked.length, 0)
})

test('replace_metadata and reload_metadata list what get_inconsistent_metadata does, conflicts of roles too', async (t) => {
  const { metadata } = await startService(t, 'CREATE TABLE album (id int PRIMARY KEY, title text)')
  await metadata('pg_track_table', { table: 'album' })
  for (const [role, check] of [
    ['user', { id: { _gt: 1 } }],
    ['editor', { id: { _gt: 2 } }],
  ] as const)
    await metadata('pg_create_insert_permission', { table: 'album', role, permission: { check, columns: ['id'] } })
  await metadata('add_inherited_role', { role_name: 'both', role_set: ['user', 'editor'] })
  const { body: listed } = await metadata('get_inconsistent_metadata')
  assert.deepEqual(
    listed.map(({ type, name }: { type: string; name: string }) => [type, name]),
    [['inherited role permission inconsistency', 'both']],
  )
  const exported = (await metadata('export_metadata')).body
  const replaced = await metadata('replace_metadata', { metadata: exported }, { version: 2 })
  assert.deepEqual(replaced.body, { is_consistent: false, inconsistent_objects: listed })
  const reloaded = await metadata('reload_metadata', {})
  assert.deepEqual(reloaded.body, { message: 'success', is_consistent: false, inconsistent_objects: listed })
})

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

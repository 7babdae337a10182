import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../test/metadata-service.ts'

test('tables that custom types lead to are exported in one spelling, however they were given', async (t) => {
  const { metadata } = await startService(t, 'CREATE TABLE album (id int PRIMARY KEY)')
  await metadata('pg_track_table', { table: 'album' })
  const receipt = (remote_table: unknown) => ({
    name: 'Receipt',
    fields: [{ name: 'album_id', type: 'Int!' }],
    relationships: [{ name: 'album', type: 'object', remote_table, field_mapping: { album_id: 'id' } }],
  })
  const exported = async () => JSON.stringify((await metadata('export_metadata')).body.custom_types)
  const expected = JSON.stringify({
    objects: [
      {
        name: 'Receipt',
        fields: [{ name: 'album_id', type: 'Int!' }],
        relationships: [
          {
            name: 'album',
            type: 'object',
            source: 'default',
            remote_table: { name: 'album', schema: 'public' },
            field_mapping: { album_id: 'id' },
          },
        ],
      },
    ],
  })
  for (const table of ['album', { schema: 'public', name: 'album' }, { name: 'album' }]) {
    assert.equal((await metadata('set_custom_types', { objects: [receipt(table)] })).status, 200)
    assert.equal(await exported(), expected)
    assert.equal((await metadata('create_custom_type', { object: receipt(table), replace: true })).status, 200)
    assert.equal(await exported(), expected)
  }
})

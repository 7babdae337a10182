import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentOf } from './music.fixture.ts'
import { unserved } from './unserved.ts'

test('kinds that are kept but not served are counted, those that are served are not', () => {
  const tables = ['artist', 'album'].map((table) => ({
    table,
    select_permissions: [{ role: 'user', permission: { columns: '*', filter: {} } }],
    delete_permissions: [{ role: 'user', permission: { filter: {} } }],
  }))
  assert.deepEqual([...unserved(documentOf(tables))], [['delete_permission', 2]])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, emptyDocument, ownKey, tableAddress } from '@svc/schema'
import { objectNameAt } from './object-name-at.ts'

test('an object that a document does not hold is named as it would be, odd characters and all', () => {
  const table = tableAddress('my/source', { schema: 'a.b', name: 'c%d' })
  const permission = address('select_permission', ownKey('select_permission', { role: 'x.y/z' }), table)
  assert.deepEqual(objectNameAt(emptyDocument, permission), {
    type: 'select_permission',
    name: 'select_permission x.y/z in table a.b.c%d in source my/source',
    key: { source: 'my/source', table: { name: 'c%d', schema: 'a.b' }, role: 'x.y/z' },
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrayRelationship } from './array-relationship.ts'
import { attributePath } from './object-value.ts'

test('what the metadata calls `column` is the attribute `columns`', () => {
  const values = { remote_foreign_key: { table: { schema: 'public', name: 'album' }, columns: ['artist'] } }
  const at = (...path: string[]) =>
    attributePath(arrayRelationship, values, ['using', 'foreign_key_constraint_on', ...path]).join('.')
  assert.equal(at('column'), 'remote_foreign_key.columns')
  assert.equal(at('columns', '0'), 'remote_foreign_key.columns.0')
  assert.equal(at('table'), 'remote_foreign_key.table')
})

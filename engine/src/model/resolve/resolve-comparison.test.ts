import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inputOf } from '../music.fixture.ts'
import { updateModel } from '../update-model.ts'

test('an operator is only what is declared as one, whatever every object of JavaScript has', () => {
  for (const operator of ['_foo', 'eq', '_c', '_cin', '_constructor', '$toString', '___proto__', '_hasOwnProperty']) {
    const filter = { title: { [operator]: 'title' } }
    const table = { table: 'album', select_permissions: [{ role: 'user', permission: { columns: '*', filter } }] }
    const [object] = updateModel(null, inputOf([table])).inconsistencies.values()
    assert.equal(
      object?.reason,
      `Inconsistent object: in table "album": in permission for role "user": Unknown operator: ${operator}`,
    )
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { always, type DeleteRows, type UpdateRows, type Value, type WriteAnswer } from '../../../ir/index.ts'
import { prepareWrite } from './prepare-write.ts'

const table = { schema: 'public', name: 'item' }
const parent = { schema: 'public', name: 'parent' }
const type = { schema: 'pg_catalog', name: 'int4', kind: 'base', array: false } as const
const one: Value = { kind: 'constant', text: '1', type: { type, list: false } }
const answer: WriteAnswer = {
  kind: 'row',
  fields: [
    {
      kind: 'object',
      as: 'parent',
      join: { table: parent, columns: [{ from: 'parent_id', to: 'id' }], unique: true },
      where: always,
      fields: [{ kind: 'typename', as: 'name', name: 'parent' }],
    },
  ],
  leadsTo: [parent],
}
const change: DeleteRows & Pick<UpdateRows, 'isPlain'> = {
  kind: 'delete',
  table,
  where: always,
  isPlain: true,
  changes: { key: ['id'] },
  answer,
}
const update: UpdateRows = {
  ...change,
  kind: 'update',
  assignments: [{ column: 'n', operator: 'set', value: one }],
  check: always,
}
const statements = (write: UpdateRows | DeleteRows): number =>
  prepareWrite(write, { stringifyNumericTypes: false }).statements.length

test('what answers with more than the rows is one statement where nothing shows the difference', () => {
  for (const write of [update, change]) {
    assert.equal(statements(write), 1)
    assert.equal(statements({ ...write, changes: { key: null } }), 2)
    assert.equal(statements({ ...write, changes: undefined }), 2)
    assert.equal(statements({ ...write, answer: { ...answer, leadsTo: [table] } }), 2)
    assert.equal(statements({ ...write, answer: { ...answer, leadsTo: undefined } }), 2)
  }
})

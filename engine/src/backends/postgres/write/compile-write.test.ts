import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Value } from '../../../ir/index.ts'
import { finish } from '../../../long-work.ts'
import { compileLongWrite, compileWrite } from './compile-write.ts'
import type { Cell, InsertStatement } from './write-statement.ts'

const type = { schema: 'pg_catalog', name: 'int4', kind: 'base', array: false } as const
const value = (text: string): Value => ({ kind: 'constant', text, type: { type, list: false } })

/** Rows of which every third leaves its second column out. */
function insert(rows: number, check: InsertStatement['check'] = { kind: 'and', of: [] }): InsertStatement {
  const cells = (i: number): readonly Cell[] => [
    { kind: 'given', value: value(String(i)) },
    i % 3 === 0 ? { kind: 'default' } : { kind: 'text', text: `${i}` },
    { kind: 'same', value: preset },
  ]
  return {
    kind: 'insert',
    into: { schema: 'public', name: 't' },
    columns: ['a', 'b', 'c'].map((name) => ({ name, type })),
    rows: { kind: 'cells', of: Array.from({ length: rows }, (_, i) => cells(i)) },
    conflict: null,
    isPlain: true,
    changesAlone: true,
    check,
    result: { kind: 'answer', answer: { kind: 'response', fields: [{ kind: 'affected-rows', as: 'n' }] } },
  }
}
const preset = value('7')

test('a long insert is compiled in pieces to what it is at once', () => {
  const options = { stringifyNumericTypes: false }
  for (const rows of [1, 31, 32, 500]) {
    const write = insert(rows)
    const { text, slots } = compileWrite(write, options)
    const long = finish(compileLongWrite(write, options))
    assert.equal(long.slots.length, slots.length)
    // numbered in the order of the text
    assert.equal(long.text, text)
    assert.deepEqual(long.slots, slots)
  }
  let pieces = 0
  for (const work = compileLongWrite(insert(500), options); !work.next().done; ) pieces += 1
  assert.equal(pieces, 500)
})

test('a long insert of more values than a statement takes is refused', () => {
  assert.throws(() => finish(compileLongWrite(insert(66_000), { stringifyNumericTypes: false })), {
    code: 'validation-failed',
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JoinKeys } from './join-keys.ts'

function add(keys: JoinKeys, texts: readonly string[], most = 1_000_000): number {
  const bytes = Buffer.from(texts.join(' '))
  let at = 0
  const ranges = texts.flatMap((text) => {
    const start = at
    at += Buffer.byteLength(text) + 1
    return [start, at - 1]
  })
  return keys.add(bytes, ranges, most)
}

test('equal tuples have one number, whatever else is there', () => {
  const keys = new JoinKeys(2)
  const expected = new Map<string, number>()
  for (let i = 0; i < 40_000; i++) {
    const texts = [String(i % 900), JSON.stringify(`é${i % 7}`)]
    const text = texts.join()
    const number = expected.get(text) ?? expected.size
    expected.set(text, number)
    assert.equal(add(keys, texts), number)
  }
  assert.equal(keys.count, expected.size)
  const lists = keys.columns.map((column) => JSON.parse(column.list()))
  assert.deepEqual(
    lists[0]?.map((first: number, i: number) => `${first},${JSON.stringify(lists[1]?.[i])}`),
    [...expected.keys()],
  )
  assert.equal(keys.columns[1]?.text(8), '"é1"')
})

test('what one key ends with does not begin the next one', () => {
  const keys = new JoinKeys(2)
  assert.deepEqual([add(keys, ['1', '23']), add(keys, ['12', '3']), add(keys, ['1', '23'])], [0, 1, 0])
})

test('no more tuples than allowed, known ones always', () => {
  const keys = new JoinKeys(1)
  assert.deepEqual([add(keys, ['1'], 2), add(keys, ['2'], 2), add(keys, ['3'], 2), add(keys, ['1'], 2)], [0, 1, -1, 0])
})

test('a key is as long as it wants to be', () => {
  const keys = new JoinKeys(1)
  const long = JSON.stringify('x'.repeat(100_000))
  assert.deepEqual([add(keys, [long]), add(keys, ['1']), add(keys, [long])], [0, 1, 0])
  assert.equal(keys.columns[0]?.text(0), long)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentMap } from './recent-map.ts'

test('the entries leave in the order in which they were used last', () => {
  const map = new RecentMap<string, number>()
  for (const [i, key] of [...'abcde'].entries()) map.set(key, i)
  assert.equal(map.get('a'), 0)
  assert.equal(map.get('c'), 2)
  map.set('b', 7)
  assert.equal(map.get('b'), 7)
  assert.equal(map.get('x'), undefined)
  assert.equal(map.delete('e'), true)
  assert.equal(map.delete('e'), false)
  for (const [key, value] of [
    ['d', 3],
    ['a', 0],
    ['c', 2],
    ['b', 7],
  ] as const) {
    assert.equal(map.oldest, value)
    assert.equal(map.delete(key), true)
  }
  assert.equal(map.size, 0)
  assert.equal(map.oldest, undefined)
  map.set('f', 1)
  assert.equal(map.oldest, 1)
})

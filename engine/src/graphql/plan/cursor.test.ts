import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeBase64 } from './cursor.ts'

test('what is base64 of JSON is read, lines and all', () => {
  assert.deepEqual(decodeBase64(' eyJhIjoi\neCJ9\n'), { a: 'x' })
  assert.deepEqual(decodeBase64('WyJh\nIl0='), ['a'])
  assert.equal(decodeBase64('WyJhIl0==='), undefined)
  assert.equal(decodeBase64('bm8='), undefined)
})

test('a long text that is no base64 is refused by reading it once', () => {
  // a look from each of its characters would take an hour
  assert.equal(decodeBase64(`${' '.repeat(3_000_000)}!`), undefined)
})

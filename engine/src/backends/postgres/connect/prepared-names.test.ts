import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PreparedNames } from './prepared-names.ts'

test('a statement is parsed once, and the least recently used one is closed when there are too many', () => {
  const names = new PreparedNames(2)
  assert.deepEqual(names.use('a'), { parse: true, closes: [] })
  assert.deepEqual(names.use('b'), { parse: true, closes: [] })
  assert.deepEqual(names.use('a'), { parse: false, closes: [] })
  assert.deepEqual(names.use('c'), { parse: true, closes: ['b'] })
  assert.deepEqual(names.use('b'), { parse: true, closes: ['a'] })
})

test('one whose first use failed is closed before it is parsed again', () => {
  const names = new PreparedNames()
  names.use('a')
  names.failed('a', true, false)
  assert.deepEqual(names.use('a'), { parse: true, closes: ['a'] })
  assert.deepEqual(names.use('a'), { parse: false, closes: [] })
  names.failed('a', false, false)
  assert.deepEqual(names.use('a'), { parse: false, closes: [] })
})

test('a lost statement means a pooler in between, unless its own parse failed here before', () => {
  const names = new PreparedNames()
  names.use('a')
  names.use('a')
  names.failed('a', true, false)
  names.failed('a', false, true)
  assert.equal(names.lostElsewhere, false)
  names.use('b')
  names.failed('b', false, true)
  assert.equal(names.lostElsewhere, true)
  assert.deepEqual(names.use('b'), { parse: true, closes: ['b'] })
})

test('nor where it was parsed again before what had been sent behind the failed parse was refused', () => {
  const names = new PreparedNames()
  names.use('a')
  names.use('a')
  names.failed('a', true, false)
  assert.deepEqual(names.use('a'), { parse: true, closes: ['a'] })
  names.failed('a', false, true)
  assert.equal(names.lostElsewhere, false)
  assert.deepEqual(names.use('a'), { parse: true, closes: ['a'] })
})

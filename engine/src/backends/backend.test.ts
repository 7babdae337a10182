import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Statement } from './backend.ts'

test('a statement says what effects it has', () => {
  // @ts-expect-error: without effects it could be sent twice
  const forgotten: Statement = { text: 'SELECT 1', slots: [] }
  const read: Statement = { ...forgotten, effects: 'none' }
  assert.equal(read.effects, 'none')
})

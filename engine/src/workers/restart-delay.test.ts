import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restartDelay } from './restart-delay.ts'

test('a worker is replaced at once, and with growing pauses where it ends again and again', () => {
  assert.deepEqual([1, 2, 3, 4, 7, 8, 1000].map(restartDelay), [0, 1000, 2000, 4000, 30_000, 30_000, 30_000])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killInsideBulks } from './kill-inside-bulks.ts'

test('an engine killed inside a bulk restarts with all of it or none', async () => {
  const { before, after } = await killInsideBulks(10, 100)
  assert.equal(before + after, 10)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMistakes } from './find-mistakes.ts'

/** All of them: `npm run soak -- permission-mistakes`. */
const most = 8

test('the permission tests of the music store use every permission, and find mistakes of every kind', async () => {
  const found = await findMistakes((all) => all.filter((_, at) => at % Math.ceil(all.length / most) === 3))
  assert.deepEqual(found.failing, [])
  assert.deepEqual(found.coverage.unused, [])
  assert.ok(found.chosen.length >= 7, `${found.chosen.length} mistakes`)
  assert.deepEqual(found.missed, [])
})

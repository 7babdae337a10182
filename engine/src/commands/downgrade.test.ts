import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDowngrade } from './index.ts'

test('the version to go back to is given as number or as version of the engine', () => {
  const words = ['--database-url', 'x', '--to-catalog-version', '3', '--dryRun']
  assert.deepEqual(readDowngrade(words), { to: 3, dryRun: true, rest: ['--database-url', 'x'] })
  assert.deepEqual(readDowngrade(['--to-catalog-version=1']), { to: 1, dryRun: false, rest: [] })
  assert.equal(readDowngrade(['--to-v0.1.0']).to, 4)
  assert.throws(() => readDowngrade([]), /needs --to-catalog-version/)
  assert.throws(() => readDowngrade(['--to-catalog-version', 'x']), /needs --to-catalog-version/)
  assert.throws(() => readDowngrade(['--to-v9.9.9']), /no version v9\.9\.9 is known/)
})

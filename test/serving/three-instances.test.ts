import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInstances } from './run-instances.ts'

test('three engines on one catalogue follow each other, lose no update and survive its absence', async (t) => {
  const { followed, followedAfterCut, ...counts } = await runInstances(1, ['cut'])
  assert.equal(followed.length, 6)
  assert.ok(counts.acknowledged > 0)
  const rounded = (times: readonly number[]) => times.map((time) => time.toFixed(0)).join(' ')
  t.diagnostic(`milliseconds: ${rounded(followed)}; listening anew: ${rounded(followedAfterCut)}`)
  t.diagnostic(JSON.stringify(counts))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../test/postgres.ts'
import { checkConditions } from '../../../test/check-conditions.ts'

const pairs = 500

test('narrower never gains a row, wider never loses one, and changed is said of few', async (t) => {
  const { url } = await createTestDatabase(t)
  const seed = Number(process.env.SVC_TEST_SEED ?? 1)
  t.diagnostic(`seed ${seed}`)
  const tally = await checkConditions(url, seed, pairs)
  t.diagnostic(JSON.stringify(tally))
  assert.ok(tally.changed <= 0.3 * pairs, `changed: ${tally.changed} of ${pairs}`)
  for (const kind of ['same', 'wider', 'narrower'] as const) assert.ok(tally[kind] > pairs / 20, kind)
})

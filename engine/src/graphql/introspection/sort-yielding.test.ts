import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sortYielding } from './sort-yielding.ts'

test('thousands of names come as sort would have them, whatever their number', async () => {
  for (const count of [0, 1, 999, 1000, 1001, 2500, 7000]) {
    const names = Array.from({ length: count }, (_, i) => `t${(i * 7919) % 10_007}${i % 3 === 0 ? '_é' : ''}`)
    assert.deepEqual(await sortYielding(names, () => undefined), [...names].sort())
  }
})

test('sorting yields to the event loop', async () => {
  let pauses = 0
  await sortYielding(
    Array.from({ length: 10_000 }, (_, i) => String(i)),
    () => void pauses++,
  )
  assert.ok(pauses >= 20, `${pauses} pauses`)
})

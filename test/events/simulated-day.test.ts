import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulateDay } from './simulated-day.ts'

test('hours of schedules pass with jumps of the clock and kills: each tick comes, or is dead where it was too late', async () => {
  const { delivered, kills } = await simulateDay({
    minutes: 180,
    longestJump: 30,
    killEvery: 5,
    stop: 95,
    back: 10,
    oneOffs: 20,
  })
  assert.ok(delivered > 180 && kills > 2)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlanCost } from './plan-cost.ts'

const measured = (...milliseconds: readonly number[]): PlanCost => {
  const cost = new PlanCost(true)
  for (const sample of milliseconds) cost.ranAlone(sample)
  return cost
}

test('a plan is small when one of its first runs was, for the others may have waited', () => {
  assert.equal(new PlanCost(true).small, false)
  assert.equal(measured(0.05, 0.05).small, false)
  assert.equal(measured(9, 0.05, 7).small, true)
  assert.equal(measured(0.4, 0.5, 0.6).small, false)
})

test('one that is slow in the lane leaves it, and has to prove itself longer each time', () => {
  const cost = measured(0.05, 0.05, 0.05)
  for (let i = 0; i < 100; i++) cost.ranInLane(0.1)
  cost.ranInLane(20)
  assert.equal(cost.small, true, 'a single late answer may be a pause of this process')
  for (let i = 0; i < 20; i++) cost.ranInLane(3)
  assert.equal(cost.small, false)
  const runsUntilSmall = () => {
    let runs = 0
    for (; !cost.small; runs++) cost.ranAlone(0.05)
    return runs
  }
  const first = runsUntilSmall()
  cost.ranInLane(500)
  assert.equal(cost.small, false, 'once is enough when it holds up everybody for long')
  assert.ok(runsUntilSmall() > first)
})

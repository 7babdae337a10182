import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlanCost } from './plan-cost.ts'

const measured = (...milliseconds: readonly number[]): PlanCost => {
  const cost = new PlanCost(true, true)
  for (const sample of milliseconds) cost.ranAlone(sample)
  return cost
}

test('a plan is small when one of its first runs was, for the other runs may have waited', () => {
  assert.equal(new PlanCost(true, true).small, false)
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
  cost.stalled()
  assert.equal(cost.small, false, 'once is enough when others were sent elsewhere')
  const second = runsUntilSmall()
  assert.ok(second >= 4 * first)
  for (let i = 0; i < 10; i++) {
    cost.stalled()
    runsUntilSmall()
  }
  cost.stalled()
  assert.equal(runsUntilSmall(), 1000)
})

test('one that left for being slow, and was small after all, may take longer: a busy machine was at fault', () => {
  const runsInLane = (cost: PlanCost) => {
    let runs = 0
    for (; cost.small && runs < 1000; runs++) cost.ranInLane(1.5)
    return runs
  }
  const cost = measured(0.05, 0.05, 0.05)
  assert.ok(runsInLane(cost) < 50)
  for (let i = 0; i < 6; i++) cost.ranAlone(0.05)
  assert.equal(runsInLane(cost), 1000)
})

test('what has effects never shares a connection', () => {
  const cost = new PlanCost(true, false)
  for (let i = 0; i < 100; i++) cost.ranAlone(0.01)
  assert.equal(cost.small, false)
})

test('one that the database takes longer for than this process does is heavy', () => {
  const inLane = (cost: PlanCost, ...gaps: readonly number[]) => {
    for (let i = 0; i < 100; i++) for (const gap of gaps) cost.ranInLane(gap, 'prepared', 5)
    return cost
  }
  assert.equal(measured(0.03, 0.02, 0.04).heavy, false)
  assert.equal(measured(0.14, 0.12, 0.13).heavy, true)
  assert.equal(inLane(measured(0.03, 0.03, 0.03), 0.2, 0.25, 0.2).heavy, true, 'its first runs read less than most')
  const bursts = inLane(measured(0.14, 0.14, 0.14), 0.9, 0.01, 0.01)
  assert.equal(bursts.heavy, false, 'its answers wait for this process')
  for (let i = 0; i < 100; i++) bursts.ranInLane(0.2)
  assert.equal(bursts.heavy, false, 'no statement waited for it: that was the round trip')
})

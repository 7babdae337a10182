import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlanCost } from './plan-cost.ts'

const measured = (...milliseconds: readonly number[]): PlanCost => {
  const cost = new PlanCost(true, true)
  for (const sample of milliseconds) cost.ranAlone(sample)
  return cost
}

test('a plan is small when one of its first runs was, for the others may have waited', () => {
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
  cost.ranInLane(500)
  assert.equal(cost.small, false, 'once is enough when it holds up everybody for long')
  assert.ok(runsUntilSmall() > first)
})

test('a plan that seems slow while the machine is busy is doubted, and what the database measures decides', () => {
  const cost = measured(3, 4, 5, 3, 4, 5, 3)
  assert.equal(cost.doubtful, false)
  cost.ranAlone(3)
  assert.equal(cost.doubtful, true)
  cost.probed(0.4)
  assert.deepEqual([cost.small, cost.doubtful], [false, false])
  for (let i = 0; i < 15; i++) cost.ranAlone(3)
  assert.equal(cost.doubtful, false, 'the next doubt takes twice as long')
  cost.ranAlone(3)
  assert.equal(cost.doubtful, true)
  cost.probed(0.04)
  assert.deepEqual([cost.small, cost.doubtful], [true, false])
})

test('what takes as long as no load explains is not measured', () => {
  assert.equal(measured(...Array.from({ length: 100 }, () => 1000)).doubtful, false)
})

test('one that left the lane comes back at once when the database says that it is small, and is borne with for longer', () => {
  const cost = measured(0.05, 0.05, 0.05)
  cost.ranInLane(60)
  assert.deepEqual([cost.small, cost.doubtful], [false, true])
  cost.probed(0.05)
  assert.deepEqual([cost.small, cost.doubtful], [true, false])
  cost.ranInLane(60)
  assert.equal(cost.small, true)
  cost.ranInLane(120)
  cost.probed(5)
  assert.deepEqual([cost.small, cost.doubtful], [false, false], 'a slow one stays out')
})

test('what is run often in the lane is weighed by the database, ever more rarely', () => {
  const cost = measured(0.05, 0.05, 0.05)
  const weigh = (milliseconds: number) => {
    let runs = 0
    for (; !cost.unweighed; runs++) cost.ranInLane(0.1)
    cost.weighing()
    assert.equal(cost.unweighed, false)
    cost.weighed(milliseconds)
    return runs
  }
  const first = weigh(0.14)
  assert.equal(cost.heavy, false, 'once may be the fault of a busy machine')
  const second = weigh(0.13)
  assert.equal(cost.heavy, true)
  const third = weigh(Number.NaN)
  assert.equal(cost.heavy, true, 'a database that could not tell changes nothing')
  assert.ok(first < second && second < third)
  weigh(0.02)
  assert.equal(cost.heavy, false)
  for (let i = 0; i < 10; i++) weigh(0.02)
  assert.ok(weigh(0.02) < 50_000, 'never too rarely to be mended')
})

test('what has effects is never run to be weighed', () => {
  const cost = new PlanCost(true, false)
  for (let i = 0; i < 10_000; i++) cost.ranInLane(0.1)
  assert.equal(cost.unweighed, false)
})

test('a run that took long is not run again to be weighed, the next short one is', () => {
  const cost = measured(0.05, 0.05, 0.05)
  for (let i = 0; i < 1000; i++) cost.ranInLane(0.1)
  assert.equal(cost.unweighed, true)
  cost.ranInLane(60_000)
  assert.equal(cost.unweighed, false)
  cost.ranInLane(0.1)
  assert.equal(cost.unweighed, true)
})

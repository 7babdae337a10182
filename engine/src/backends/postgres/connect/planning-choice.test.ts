import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Planning, PlanningChoice } from './planning-choice.ts'

/** Runs of which each takes what `milliseconds` says; how many of the last hundred went each way. */
function run(choice: PlanningChoice, count: number, milliseconds: (way: Planning, i: number) => number) {
  const ways = { prepared: 0, fresh: 0 }
  for (let i = 0; i < count; i++) {
    const way = choice.next()
    choice.took(way, milliseconds(way, i))
    if (i >= count - 96) ways[way] += 1
  }
  return ways
}

test('a plan remains prepared while that is about as fast', () => {
  assert.deepEqual(
    run(new PlanningChoice(true, true), 1000, (way) => (way === 'fresh' ? 2.2 : 1.9)),
    { prepared: 93, fresh: 3 },
  )
})

test('a plan that the database plans badly without its parameters is planned again, and back when that changes', () => {
  const choice = new PlanningChoice(true, true)
  assert.deepEqual(
    run(choice, 1000, (way) => (way === 'fresh' ? 2.2 : 20)),
    { prepared: 3, fresh: 93 },
  )
  assert.deepEqual(
    run(choice, 3000, (way) => (way === 'fresh' ? 2.2 : 1)),
    { prepared: 93, fresh: 3 },
  )
})

test('load that comes and goes decides nothing, since both ways are compared at the same moments', () => {
  const load = (i: number) => 1 + 9 * Math.abs(Math.sin(i / 200))
  assert.deepEqual(
    run(new PlanningChoice(true, true), 9600, (_, i) => load(i)),
    { prepared: 93, fresh: 3 },
  )
})

test('without parameters there is no choice', () => {
  assert.deepEqual(
    run(new PlanningChoice(false, true), 200, () => 20),
    { prepared: 96, fresh: 0 },
  )
})

test('the sixth run is suspicious, and one that reads much less when planned with its parameters decides', () => {
  const choice = new PlanningChoice(true, true)
  for (const milliseconds of [5, 0.6, 0.5, 0.6, 0.5]) choice.took('prepared', milliseconds)
  assert.equal(choice.suspicious, false)
  choice.took('prepared', 0.6)
  assert.equal(choice.suspicious, true)
  choice.comparing()
  choice.took('prepared', 25)
  assert.equal(choice.suspicious, false, 'it is being looked into')
  choice.compared(1700, 55)
  assert.deepEqual(
    run(choice, 100, () => 0.5),
    { prepared: 0, fresh: 96 },
  )
})

test('runs that are late without a reason are examined ever more seldom, and one that is later at once', () => {
  const choice = new PlanningChoice(true, true)
  let looks = 0
  for (let i = 0; i < 2000; i++) {
    choice.took('prepared', i % 10 === 9 ? 5 : 1)
    if (!choice.suspicious) continue
    looks += 1
    choice.comparing()
    choice.compared(40, 38)
  }
  assert.ok(looks > 3 && looks < 12, `${looks}`)
  choice.took('prepared', 25)
  assert.equal(choice.suspicious, true)
})

test('a statement with side effects is not run again to compare', () => {
  const choice = new PlanningChoice(true, false)
  for (const milliseconds of [1, 1, 1, 25, 1, 1, 25]) choice.took('prepared', milliseconds)
  assert.equal(choice.suspicious, false)
})

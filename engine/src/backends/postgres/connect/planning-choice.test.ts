import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Planning, PlanningChoice } from './planning-choice.ts'

/** Runs of which each takes what `milliseconds` says; how many of the last hundred went each way. */
function run(choice: PlanningChoice, count: number, milliseconds: (way: Planning, i: number) => number) {
  const ways = { prepared: 0, anew: 0 }
  for (let i = 0; i < count; i++) {
    const way = choice.next()
    choice.took(way, milliseconds(way, i))
    if (i >= count - 96) ways[way] += 1
  }
  return ways
}

test('a plan stays prepared while that is about as fast', () => {
  assert.deepEqual(
    run(new PlanningChoice(true), 1000, (way) => (way === 'anew' ? 2.2 : 1.9)),
    { prepared: 93, anew: 3 },
  )
})

test('a plan that the database plans badly without its parameters is planned anew, and back when that changes', () => {
  const choice = new PlanningChoice(true)
  assert.deepEqual(
    run(choice, 1000, (way) => (way === 'anew' ? 2.2 : 20)),
    { prepared: 3, anew: 93 },
  )
  assert.deepEqual(
    run(choice, 3000, (way) => (way === 'anew' ? 2.2 : 1)),
    { prepared: 93, anew: 3 },
  )
})

test('load that comes and goes decides nothing, since both ways are compared at the same moments', () => {
  const load = (i: number) => 1 + 9 * Math.abs(Math.sin(i / 200))
  assert.deepEqual(
    run(new PlanningChoice(true), 9600, (_, i) => load(i)),
    { prepared: 93, anew: 3 },
  )
})

test('without parameters there is no choice', () => {
  assert.deepEqual(
    run(new PlanningChoice(false), 200, () => 20),
    { prepared: 96, anew: 0 },
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEAD_AFTER, Liveness } from './liveness.ts'

const beat = (beats: string, silent: number) => [{ id: 'a', beats, silent }]

test('an instance is dead when it was silent for long and this one has watched it', () => {
  const liveness = new Liveness()
  assert.deepEqual(liveness.findDead(beat('1', DEAD_AFTER), 0), [])
  assert.deepEqual(liveness.findDead(beat('1', DEAD_AFTER + 2000), 2000), [])
  assert.equal(liveness.findDead(beat('1', DEAD_AFTER + 4000), 4000).length, 1)
})

test('one that reports, or was silent for a moment only, is alive', () => {
  const liveness = new Liveness()
  liveness.findDead(beat('1', 0), 0)
  assert.deepEqual(liveness.findDead(beat('1', DEAD_AFTER - 1), 60_000), [])
  assert.deepEqual(liveness.findDead(beat('2', DEAD_AFTER), 62_000), [])
})

test('after an outage all instances are watched again', () => {
  const liveness = new Liveness()
  liveness.findDead(beat('1', 0), 0)
  liveness.forget()
  assert.deepEqual(liveness.findDead(beat('1', DEAD_AFTER * 2), 20_000), [])
})

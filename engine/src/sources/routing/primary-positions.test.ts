import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PrimaryPositions } from './primary-positions.ts'

test('a replica is behind by the time since its place in the log was the newest', () => {
  const positions = new PrimaryPositions()
  assert.equal(positions.lag(5n, 60_000, 0), 0, 'nothing is known of the source')
  positions.add(1000, 100n, 10_000)
  positions.add(2000, 100n, 10_000)
  positions.add(3000, 200n, 10_000)
  assert.equal(positions.lag(200n, 60_000, 9000), 0, 'it has all of it, however long ago that was')
  assert.equal(positions.lag(100n, null, 3500), 1500)
  assert.equal(positions.lag(150n, null, 3500), 1500)
  assert.equal(positions.lag(99n, 60_000, 3500), 60_000, 'before the first look it counts what the replica says')
  assert.equal(positions.lag(99n, null, 3500), 2500)
})

test('positions that are too old are forgotten but for the last one; a log that went back begins again', () => {
  const positions = new PrimaryPositions()
  positions.add(0, 1n, 1000)
  positions.add(5000, 2n, 1000)
  assert.equal(positions.lag(1n, null, 5000), 5000)
  positions.add(6000, 1n, 1000)
  assert.equal(positions.lag(1n, null, 7000), 0)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TransactionCost } from './transaction-cost.ts'

/** Runs alone until it shares again, each so long and next to nine others. */
function runsAlone(cost: TransactionCost, milliseconds: number): number {
  let runs = 0
  for (; !cost.shares; runs++) cost.ranAlone(milliseconds, milliseconds, 10)
  return runs
}

test('a transaction shares until it is slow there, and shares again where it was not faster by itself', () => {
  const cost = new TransactionCost(true)
  for (let i = 0; i < 100; i++) cost.ranShared(0.2, 4)
  // some wait for a processor
  for (let i = 0; i < 1000; i++) cost.ranShared(i % 5 === 0 ? 0.2 : 30, 4)
  assert.equal(cost.shares, true)
  // busy: 4 in 3 ms
  for (let i = 0; i < 100; i++) cost.ranShared(3, 4)
  assert.equal(cost.shares, false)
  // and 10 in 30 ms
  assert.equal(runsAlone(cost, 30), 100)
  // that is known now
  for (let i = 0; i < 100; i++) cost.ranShared(1.8, 4)
  assert.equal(cost.shares, true)
  cost.keptWaiting()
  assert.equal(runsAlone(cost, 30), 200)
})

test('a transaction that waits for the disk keeps a connection of its own, and is measured ever less often', () => {
  const cost = new TransactionCost(true)
  // those that were sent before are answered as well
  for (let i = 0; i < 100; i++) cost.ranShared(4, 4)
  for (let i = 0; i < 100_000; i++) cost.ranAlone(4, 4, 10)
  assert.equal(cost.shares, false)
})

test('one that may run something of a user never shares', () => {
  const cost = new TransactionCost(false)
  for (let i = 0; i < 1000; i++) cost.ranAlone(0.01, 0.01, 1)
  assert.equal(cost.shares, false)
  assert.equal(cost.fastest, 0.01)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TransactionCost } from './transaction-cost.ts'

test('a transaction shares until it is slow there, and is tried again after a while that grows', () => {
  const cost = new TransactionCost(true)
  const runsAlone = () => {
    let runs = 0
    for (; !cost.shares; runs++) cost.ranAlone(5)
    return runs
  }
  for (let i = 0; i < 100; i++) cost.ranBeside(0.2)
  // a single pause
  cost.ranBeside(1000)
  assert.equal(cost.shares, true)
  for (let i = 0; i < 8; i++) cost.ranBeside(3)
  assert.equal(cost.shares, false)
  assert.equal(runsAlone(), 100)
  cost.keptWaiting()
  assert.equal(runsAlone(), 200)
})

test('one that may run something of a user never shares', () => {
  const cost = new TransactionCost(false)
  for (let i = 0; i < 1000; i++) cost.ranAlone(0.01)
  assert.equal(cost.shares, false)
  assert.equal(cost.fastest, 0.01)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Workers } from './workers.ts'

const owner = {}

/** Takes as many as there are for that receiver, at most so many. */
function takeAll(workers: Workers, name: string, most: number): { begun: number } {
  const taken = { begun: 0 }
  for (let i = 0; i < most; i++)
    void workers.take(name, owner).then((may) => {
      if (may) taken.begun += 1
    })
  return taken
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a webhook that never answers does not occupy the places of other webhooks', async () => {
  const workers = new Workers(16)
  const silent = takeAll(workers, 'silent', 50)
  await settled()
  assert.equal(silent.begun, 2)
  assert.equal(await workers.take('good', owner), true)
})

test('a webhook that answers has all but the last eighth after a while, which other webhooks have when it stops answering', async () => {
  const workers = new Workers(16)
  for (let i = 0; i < 16; i++) {
    assert.equal(await workers.take('good', owner), true)
    workers.done('good', 5000, true)
  }
  const good = takeAll(workers, 'good', 50)
  await settled()
  assert.equal(good.begun, 14)
  const other = takeAll(workers, 'other', 50)
  await settled()
  assert.equal(other.begun, 2)
  assert.equal(workers.active, 16)
})

test('fewer than eight are for any owner', async () => {
  const workers = new Workers(2)
  assert.equal(await workers.take('good', owner), true)
  workers.done('good', 10, true)
  const good = takeAll(workers, 'good', 5)
  await settled()
  assert.equal(good.begun, 2)
})

test('one that was answered too late, or not at all, gets ever fewer, and one at least', async () => {
  const workers = new Workers(32)
  for (let i = 0; i < 3; i++) {
    assert.equal(await workers.take('bad', owner), true)
    workers.done('bad', 60_000, false)
  }
  const bad = takeAll(workers, 'bad', 10)
  await settled()
  assert.equal(bad.begun, 1)
})

test('what waits is given up when its owner leaves, and begins when there is a place', async () => {
  const workers = new Workers(1)
  assert.equal(await workers.take('a', owner), true)
  const other = {}
  const [mine, its] = [workers.take('a', owner), workers.take('b', other)]
  let isAny = false
  const any = workers.any(other).then(() => {
    isAny = true
  })
  workers.leave(owner)
  assert.equal(await mine, false)
  assert.equal(isAny, false)
  workers.done('a', 10, true)
  assert.equal(await its, true)
  assert.equal(isAny, false)
  workers.done('b', 10, true)
  await any
})

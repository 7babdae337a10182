import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { WaitingQueue } from './waiting-queue.ts'

const late = () => new Error('late')

test('first come, first served, also when other requests leave the queue meanwhile', async () => {
  const queue = new WaitingQueue<number>()
  const signals = Array.from({ length: 6 }, () => new AbortController())
  const waiting = signals.map(({ signal }) => queue.wait({ seconds: null, late, signal }))
  const settled = Promise.allSettled(waiting)
  for (const i of [0, 3, 5]) signals[i]?.abort(`left ${i}`)
  assert.equal(queue.length, 3)
  for (const item of [1, 2, 3]) queue.first?.take(item)
  assert.deepEqual([queue.length, queue.first], [0, null])
  const outcomes = (await settled).map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason))
  assert.deepEqual(outcomes, ['left 0', 1, 2, 'left 3', 3, 'left 5'])
  const again = queue.wait({ seconds: null, late, signal: undefined })
  queue.first?.take(4)
  assert.equal(await again, 4)
})

test('nothing is left of who had its turn, left or waited in vain', async () => {
  const queue = new WaitingQueue<number>()
  const { signal } = new AbortController()
  const served = queue.wait({ seconds: 60, late, signal })
  queue.first?.take(1)
  const failed = queue.wait({ seconds: 60, late, signal })
  queue.first?.fail(new Error('failed'))
  assert.equal(await served, 1)
  await assert.rejects(failed, { message: 'failed' })
  await assert.rejects(queue.wait({ seconds: 0.001, late, signal }), { message: 'late' })
  assert.deepEqual([queue.length, getEventListeners(signal, 'abort').length], [0, 0])
})

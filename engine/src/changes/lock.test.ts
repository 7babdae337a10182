import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Mutex } from './lock.ts'

test('work is run one after the other, also after work that failed', async () => {
  const lock = new Mutex()
  const steps: string[] = []
  const work = (name: string, fails: boolean) =>
    lock.run(async () => {
      steps.push(`${name} begins`)
      await Promise.resolve()
      steps.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const results = await Promise.allSettled([work('a', false), work('b', true), work('c', false)])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(steps, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

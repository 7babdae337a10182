/** Two sessions never share an answer; the long form is `npm run soak -- sessions`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSessions } from './run-sessions.ts'

test('each session gets its own answers, over all transports, while metadata changes and the database restarts', async (t) => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  const { compared, wrong } = await runSessions({ rounds: 9, load: 3, seed, restarts: 2 })
  t.diagnostic(`seed ${seed}: ${JSON.stringify(compared)}`)
  assert.deepEqual(wrong, [], `seed ${seed}`)
  assert.equal(Object.keys(compared).length, 7)
})

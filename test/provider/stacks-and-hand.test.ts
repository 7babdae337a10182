/** Two stacks and a hand on one engine, in random steps: the short form of `npm run soak -- stacks`. */
import { test } from 'node:test'
import { runStacks } from './two-stacks/run-stacks.ts'

for (const seed of [1, 2])
  test(`30 random steps of two stacks and a hand lose nothing and no plan is silent (seed ${seed})`, async (t) => {
    const { failed, killed, byHand } = await runStacks(t, { seed, steps: 30, settleEvery: 15 })
    t.diagnostic(`${failed} failed, ${killed} killed, ${byHand} by hand`)
  })

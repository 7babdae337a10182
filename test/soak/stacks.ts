/**
 * `npm run soak -- stacks [STEPS] [SEED] [-v]`: two stacks (the protocols of Terraform and Pulumi) and a hand change one
 * engine's metadata in 500 random steps, some of which fail or are killed.
 */
import { runStacks } from '../provider/two-stacks/run-stacks.ts'

const [steps = '500', seed = String(Date.now() % 1_000_000)] = process.argv
  .slice(2)
  .filter((one) => !one.startsWith('-'))
const cleanUps: (() => Promise<void>)[] = []
console.log(`seed ${seed}`)
try {
  const counts = await runStacks(
    { after: (cleanUp) => cleanUps.push(cleanUp) },
    { seed: Number(seed), steps: Number(steps) },
    process.argv.includes('-v') ? console.log : () => {},
  )
  const { failed, killed, byHand, settled } = counts
  console.log(
    `${counts.steps} steps: ${failed} runs failed, ${killed} were killed, ${byHand} were by hand; settled ${settled} times`,
  )
} finally {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
}

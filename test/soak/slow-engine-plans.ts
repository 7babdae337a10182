/**
 * `npm run soak -- slow-engine-plans [RUNS [SEED [MILLISECONDS]]]`: plans of a correct stack with strict checks, 34 at each of the
 * parallelisms 1, 10 and 30, by an engine whose every answer is delayed by up to 700 ms.
 */
import { planOnSlowEngine } from '../terraform/slow-engine-plans.ts'

const [runs = '34', seed = String(Date.now() % 1_000_000), longest = '700'] = process.argv.slice(2)
const cleanUps: (() => Promise<void>)[] = []
console.log(`seed ${seed}`)
try {
  const t = { after: (cleanUp: () => Promise<void>) => cleanUps.push(cleanUp) }
  const plans = await planOnSlowEngine(t, { runs: Number(runs), seed: Number(seed), longest: Number(longest) })
  console.log(`${plans} plans without an error`)
} finally {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
}

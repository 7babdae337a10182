/**
 * `npm run soak -- pulumi-slow-engine-plans [RUNS [SEED [MILLISECONDS]]]`: previews of a correct stack with strict checks, 34 at each of
 * the parallelisms 1, 10 and 30, by an engine whose every answer is delayed by up to 700 ms.
 */
import { previewOnSlowEngine } from '../pulumi/slow-engine-plans.ts'

const [runs = '34', seed = String(Date.now() % 1_000_000), longest = '700'] = process.argv.slice(2)
const cleanUps: (() => Promise<void> | void)[] = []
console.log(`seed ${seed}`)
try {
  const t = { after: (cleanUp: () => Promise<void> | void) => cleanUps.push(cleanUp) }
  const previews = await previewOnSlowEngine(t, { runs: Number(runs), seed: Number(seed), longest: Number(longest) })
  console.log(`${previews} previews without an error`)
} finally {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
}

/**
 * `npm run soak -- differential [COUNT] [SEED]`: that many random queries (10,000) in random worlds, each answer compared
 * with an oracle's. The short form is test/differential/differential.test.ts.
 */
import { runDifferential, shownDifference } from '../differential/run-differential.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

const queries = Number(process.argv[2] ?? 10_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const { url } = await createTestDatabase()
const engine = await startEngine({ databaseUrl: url })
const started = performance.now()
console.log(`${queries} random queries, from seed ${seed} on`)
const { compared, ambiguous, found } = await runDifferential(engine, { seed, queries, perWorld: 100 })
if (found) console.log(`DIFFERS after ${compared} queries:\n${shownDifference(found)}`)
else
  console.log(
    `${compared} compared, none differs; ${ambiguous} ambiguous; ${Math.round((performance.now() - started) / 1000)} s`,
  )
await engine.stop()
process.exit(found ? 1 : 0)

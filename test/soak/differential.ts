/**
 * `npm run soak -- differential [COUNT] [SEED]`: that many random queries (10,000) in random worlds, each answer compared
 * with an oracle's; a third of them on an engine that shows large numbers as text. The short form is
 * test/differential/differential.test.ts.
 */
import { runDifferential, shownDifference } from '../differential/run-differential.ts'
import { createWorldDatabase } from '../differential/world-database.ts'
import { startEngine } from '../engine.ts'

const total = Number(process.argv[2] ?? 10_000)
const first = Number(process.argv[3] ?? Date.now() % 1_000_000)
const asText = Math.floor(total / 3)
let failed = false
for (const { stringify, queries, seed } of [
  { stringify: false, queries: total - asText, seed: first },
  { stringify: true, queries: asText, seed: first + 1_000_000 },
]) {
  const { url, drop } = await createWorldDatabase()
  const env = { SVC_GRAPHQL_STRINGIFY_NUMERIC_TYPES: `${stringify}` }
  const engine = await startEngine({ databaseUrl: url, env })
  const started = performance.now()
  console.log(`${queries} random queries, from seed ${seed} on${stringify ? ', numbers as text' : ''}`)
  const { compared, ambiguous, found } = await runDifferential(engine, { seed, queries, perWorld: 100, stringify })
  if (found) console.log(`DIFFERS after ${compared} queries:\n${shownDifference(found)}`)
  else
    console.log(
      `${compared} compared, none differs; ${ambiguous} ambiguous; ${Math.round((performance.now() - started) / 1000)} s`,
    )
  failed ||= found !== null
  await engine.stop()
  await drop()
}
process.exit(failed ? 1 : 0)

/**
 * `npm run soak -- joins [COUNT] [SEED]`: that many random queries and mutations (3,000) over relationships between two
 * databases, a remote schema and an action, each answer compared with plain SQL over both and with the rows of the servers. The short form is test/differential-joins/joins.test.ts.
 */
import { runJoins } from '../differential-joins/run-joins.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

const total = Number(process.argv[2] ?? 3_000)
const first = Number(process.argv[3] ?? Date.now() % 1_000_000)
const perSeed = 500
let failed = false
for (let done = 0; done < total && !failed; done += perSeed) {
  const [database, other] = await Promise.all([createTestDatabase(), createTestDatabase()])
  const engine = await startEngine({ databaseUrl: database.url })
  const seed = first + done / perSeed
  const { compared, joined, mutations, found } = await runJoins(
    engine,
    other.url,
    seed,
    Math.min(perSeed, total - done),
  )
  if (found) console.log(`DIFFERS, seed ${seed}, after ${compared} queries:\n${JSON.stringify(found, null, 1)}`)
  else
    console.log(
      `seed ${seed}: ${compared} compared with ${joined} joins in them, ${mutations} of them mutations: none differs`,
    )
  failed = found !== null
  await engine.stop()
  await Promise.all([database.drop(), other.drop()])
}
process.exit(failed ? 1 : 0)

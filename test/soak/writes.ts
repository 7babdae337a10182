/**
 * `npm run soak -- writes [COUNT] [SEED]`: that many random mutations (5,000) under random permissions, each answer and the
 * tables after it compared with an oracle's. The short form is test/differential/writes.test.ts.
 */
import { runWrites } from '../differential/run-writes.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

const total = Number(process.argv[2] ?? 5_000)
const first = Number(process.argv[3] ?? Date.now() % 1_000_000)
const perWorld = 500
let failed = false
for (let done = 0; done < total && !failed; done += perWorld) {
  const database = await createTestDatabase()
  const engine = await startEngine({ databaseUrl: database.url })
  const seed = first + done
  const { written, refused, found } = await runWrites(engine, seed, Math.min(perWorld, total - done))
  if (found) console.log(`DIFFERS, seed ${seed}: ${found.what}\n${found.query}\n${found.role}`)
  else console.log(`seed ${seed}: ${written} written, ${refused} refused, none differs`)
  failed = found !== null
  await engine.stop()
  await database.drop()
}
process.exit(failed ? 1 : 0)

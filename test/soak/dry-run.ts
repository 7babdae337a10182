/**
 * `npm run soak -- dry-run [COUNT] [SEED]`: dry run equals reality, over HTTP, for that many random requests (2,000).
 * The short form is engine/src/dry-run/dry-run-equals-reality.test.ts.
 */
import { checkDryRuns } from '../admin/dry-run-equals-reality.ts'
import { musicTables } from '../admin/music-names.ts'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

const count = Number(process.argv[2] ?? 2000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const { url } = await createTestDatabase()
await runOnDatabase(url, musicTables)
const engine = await startEngine({ databaseUrl: url })
const started = performance.now()
console.log(`dry runs of ${count} random requests, seed ${seed}`)
const tally = await checkDryRuns((body) => engine.post('/v1/metadata', body), url, seed, count)
console.log(`equal in all: ${JSON.stringify(tally)}, ${Math.round((performance.now() - started) / 1000)} s`)
await engine.stop()
process.exit(0)

/**
 * `npm run soak -- bad-input [COUNT] [SEED]`: that many wrong bodies (10,000) to each endpoint.
 * The short form is test/admin/bad-input.test.ts.
 */
import { endpoints } from '../admin/bad-bodies.ts'
import { checkBadInput } from '../admin/check-bad-input.ts'
import { musicTables } from '../admin/music-names.ts'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

const count = Number(process.argv[2] ?? 10_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const { url } = await createTestDatabase()
await runOnDatabase(url, musicTables)
const engine = await startEngine({ databaseUrl: url })
await engine.metadata('pg_track_table', { table: 'artist' })
for (const endpoint of endpoints) {
  const started = performance.now()
  await checkBadInput(engine, endpoint, seed, count)
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`${endpoint}: ${count} wrong bodies, seed ${seed}, all refused clearly, ${seconds} s`)
}
await engine.stop()
process.exit(0)

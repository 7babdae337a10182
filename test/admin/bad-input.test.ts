import { after, before, test } from 'node:test'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { endpoints } from './bad-bodies.ts'
import { checkBadInput } from './check-bad-input.ts'
import { musicTables } from './music-names.ts'
import { runOnDatabase } from './run-on-database.ts'

let engine: Engine
before(async () => {
  const { url } = await createTestDatabase()
  await runOnDatabase(url, musicTables)
  engine = await startEngine({ databaseUrl: url })
  await engine.metadata('pg_track_table', { table: 'artist' })
})
after(() => engine.stop())

for (const endpoint of endpoints)
  test(`no wrong body is accepted by ${endpoint}, or ends in an error of its own`, async (t) => {
    const seed = Number(process.env.SVC_TEST_SEED ?? 1)
    t.diagnostic(`seed ${seed}`)
    await checkBadInput(engine, endpoint, seed, 120)
  })

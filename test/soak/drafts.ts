/**
 * `npm run soak -- drafts [COUNT] [SEED] [music|wide]`: as many generated drafts (400), half over the music store and half over a
 * store of 300 tables, against their applies, graphql-js's comparison and stored operations that are run again. The short form is
 * test/admin/drafts-equal-applies.test.ts.
 */
import { checkDrafts } from '../admin/drafts-equal-applies.ts'
import { musicRows, musicTables } from '../admin/music-names.ts'
import { seededRandom } from '../admin/random.ts'
import { randomRequest } from '../admin/random-operations.ts'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { wideChange, wideMetadata, wideTables } from '../admin/wide-store.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

const count = Number(process.argv[2] ?? 400)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const only = process.argv[4]

for (const store of ['music', 'wide'] as const) {
  if (only !== undefined && only !== store) continue
  const { url } = await createTestDatabase()
  await runOnDatabase(url, store === 'music' ? musicTables + musicRows : wideTables)
  const engine = await startEngine({ databaseUrl: url })
  if (store === 'wide') {
    const { status, text } = await engine.metadata('bulk_atomic', wideMetadata)
    if (status !== 200) throw new Error(text)
  }
  const started = performance.now()
  const tally = await checkDrafts(
    {
      roles: store === 'music' ? ['admin', 'user', 'editor', 'guest', 'both'] : ['admin', 'role_0', 'role_1', 'role_2'],
      session: { 'x-svc-user-id': '1', 'x-svc-ids': '{1,2}' },
      post: (path, body, headers) => engine.post(path, body, headers),
      change: (random) => (store === 'music' ? randomRequest(random, url) : wideChange(random)),
    },
    seededRandom(seed),
    Math.ceil(count / (only === undefined ? 2 : 1)),
  )
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`${store}, seed ${seed}: equal in all: ${JSON.stringify(tally)}, ${seconds} s`)
  await engine.stop()
}
process.exit(0)

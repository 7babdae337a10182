import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { checkDrafts } from './drafts-equal-applies.ts'
import { musicRows, musicTables } from './music-names.ts'
import { seededRandom } from './random.ts'
import { randomRequest } from './random-operations.ts'
import { runOnDatabase } from './run-on-database.ts'

/** `npm run soak -- drafts` checks 400. */
const count = 6

test(`what ${count} generated drafts show is what their applies make, and what their previews say`, async (t) => {
  const { url } = await createTestDatabase(t)
  await runOnDatabase(url, musicTables + musicRows)
  const engine = await startEngine({ databaseUrl: url }, t)
  const tally = await checkDrafts(
    {
      roles: ['user', 'editor', 'both'],
      session: { 'x-svc-user-id': '1', 'x-svc-ids': '{1,2}' },
      post: (path, body, headers) => engine.post(path, body, headers),
      change: (random) => randomRequest(random, url),
    },
    seededRandom(3),
    count,
  )
  assert.equal(tally.drafted, count)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDryRuns } from '../../../test/admin/dry-run-equals-reality.ts'
import { musicTables } from '../../../test/admin/music-names.ts'
import { startService } from '../../test/metadata-service.ts'

const requests = 150

test('a dry run reports the answers, changes and inconsistencies that the request itself then brings', async (t) => {
  const seed = Number(process.env.SVC_TEST_SEED ?? 1)
  const { ask, databaseUrl } = await startService(t, musicTables)
  t.diagnostic(`seed ${seed}`)
  const tally = await checkDryRuns((body) => ask('/v1/metadata', body), databaseUrl, seed, requests)
  t.diagnostic(JSON.stringify(tally))
  assert.ok(tally.changed > requests / 20, 'enough of them change something')
})

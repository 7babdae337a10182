import { test } from 'node:test'
import { runMetadataFuzz } from './run-metadata-fuzz.ts'

test('random operations on metadata do what a plain model of it says', async (t) => {
  const seed = Number(process.env.SVC_FUZZ_SEED ?? 1)
  t.diagnostic(`seed ${seed}`)
  const tally = await runMetadataFuzz({ seed, operations: 50, restartEvery: 1000 })
  t.diagnostic(JSON.stringify(tally))
})

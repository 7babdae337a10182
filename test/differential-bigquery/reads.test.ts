import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEmulatorBuilt } from '../../tools/bigquery-emulator/program.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startEmulator } from './emulator.ts'
import { runReads } from './run-reads.ts'

const skip = isEmulatorBuilt() ? false : 'the emulator of BigQuery is not built: npm run bigquery-emulator'

/** SVC_TEST_READS: 3,000 take ten minutes. */
const reads = Number(process.env.SVC_TEST_READS ?? 60)

test('random reads of BigQuery, and joins from and to it, are answered as PostgreSQL answers them', {
  skip,
}, async (t) => {
  const emulator = await startEmulator()
  t.after(() => emulator.stop())
  const database = await createTestDatabase(t)
  const engine = await startEngine({ databaseUrl: database.url, env: emulator.environment }, t)
  const most = Number(process.env.SVC_TEST_FOUND ?? 1)
  const { compared, found } = await runReads(engine, emulator, {
    seed: Number(process.env.SVC_TEST_SEED ?? 1),
    reads,
    most,
  })
  assert.equal(found.map((one) => JSON.stringify(one)).join('\n'), '')
  assert.equal(compared, reads)
})

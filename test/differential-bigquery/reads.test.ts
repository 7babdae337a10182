import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipWithoutEmulator, startEmulator } from '../bigquery/emulator.ts'
import { startRestDouble } from '../bigquery/rest-double.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { runReads } from './run-reads.ts'

/** SVC_TEST_READS: 3,000 take ten minutes. */
const [reads, seed, most] = [
  Number(process.env.SVC_TEST_READS ?? 30),
  Number(process.env.SVC_TEST_SEED ?? 1),
  Number(process.env.SVC_TEST_FOUND ?? 1),
]

test('random reads of BigQuery, and joins from and to it, are answered as PostgreSQL answers them', {
  skip: skipWithoutEmulator,
}, async (t) => {
  const emulator = await startEmulator(t)
  // for its tokens
  const double = await startRestDouble(t)
  const database = await createTestDatabase(t)
  const env = {
    BQ_KEY: JSON.stringify(double.account.json),
    SVC_GRAPHQL_BIGQUERY_API_ENDPOINT: emulator.url,
    SVC_GRAPHQL_BIGQUERY_TOKEN_ENDPOINT: double.tokenUrl,
  }
  const engine = await startEngine({ databaseUrl: database.url, env }, t)
  const { compared, found } = await runReads(engine, emulator, { seed, reads, most })
  assert.equal(found.map((one) => JSON.stringify(one)).join('\n'), '')
  assert.equal(compared, reads)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { runDifferential, shownDifference } from './run-differential.ts'

test('random queries are answered as an oracle answers them that knows the specification and nothing of the engine', async (t) => {
  const database = await createTestDatabase()
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(database.drop)
  const { compared, ambiguous, found } = await runDifferential(engine, { seed: 1, queries: 300, perWorld: 60 })
  assert.equal(found, null, found ? shownDifference(found) : '')
  assert.ok(ambiguous < compared / 4, `${ambiguous} queries showed nothing`)
})

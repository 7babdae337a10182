import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { runDifferential, shownDifference } from './run-differential.ts'
import { createWorldDatabase } from './world-database.ts'

/** The engine shows large and exact numbers as numbers, or as text. */
for (const { stringify, seed, queries } of [
  { stringify: false, seed: 1, queries: 180 },
  { stringify: true, seed: 5, queries: 90 },
])
  test(`random queries are answered as an oracle answers them that knows the specification and nothing of the engine, numbers as ${stringify ? 'text' : 'they are'}`, async (t) => {
    const database = await createWorldDatabase()
    const env = { SVC_GRAPHQL_STRINGIFY_NUMERIC_TYPES: `${stringify}` }
    const engine = await startEngine({ databaseUrl: database.url, env }, t)
    t.after(database.drop)
    const { compared, ambiguous, found } = await runDifferential(engine, { seed, queries, perWorld: 45, stringify })
    assert.equal(found, null, found ? shownDifference(found) : '')
    assert.ok(ambiguous < compared / 4, `${ambiguous} queries showed nothing`)
  })

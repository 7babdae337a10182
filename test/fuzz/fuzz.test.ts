import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorldDatabase } from '../differential/world-database.ts'
import { startEngine } from '../engine.ts'
import { runFuzz } from './run-fuzz.ts'

test('queries with mutated tokens and variables are answered or refused as mistakes, and never break anything', async (t) => {
  const database = await createWorldDatabase()
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(database.drop)
  const { answered, refused, found } = await runFuzz(engine, { seed: 1, count: 600 })
  assert.equal(found, null)
  assert.ok(answered > 60 && refused > 60, `${answered} answered, ${refused} refused`)
})

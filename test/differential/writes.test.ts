import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { runWrites } from './run-writes.ts'

test('random mutations write and answer what an oracle does that knows the specification and nothing of the engine', async (t) => {
  const database = await createTestDatabase(t)
  const engine = await startEngine({ databaseUrl: database.url }, t)
  const { written, refused, found } = await runWrites(engine, 77, 500)
  assert.equal(found, null, found ? `${found.what}\n${found.query}\n${found.role}` : '')
  assert.ok(written > 100 && refused > 50, `${written} written, ${refused} refused`)
})

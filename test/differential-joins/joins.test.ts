import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { runJoins } from './run-joins.ts'

test('random joins of databases, a remote schema and an action are answered as plain SQL and their rows say', async (t) => {
  const [database, other] = await Promise.all([createTestDatabase(t), createTestDatabase(t)])
  const engine = await startEngine({ databaseUrl: database.url }, t)
  const { compared, joined, mutations, found } = await runJoins(engine, other.url, 3, 50)
  assert.equal(found, null, JSON.stringify(found, null, 1))
  assert.ok(joined > compared, `${joined} joins in ${compared} queries`)
  assert.ok(mutations > 5)
})

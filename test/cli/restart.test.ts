import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { completeMetadata } from '../metadata/complete-metadata.ts'
import { createTestDatabase } from '../postgres.ts'

test('metadata of every kind is exported byte-equal: after a replacement and after a restart', async (t) => {
  const database = await createTestDatabase()
  t.after(database.drop)
  const first = await startEngine({ databaseUrl: database.url }, t)
  const args = { allow_inconsistent_metadata: true, metadata: completeMetadata }
  const replaced = await first.metadata('replace_metadata', args, { version: 2 })
  assert.equal(replaced.status, 200, replaced.text)
  assert.equal((await first.metadata('export_metadata', {})).text, JSON.stringify(completeMetadata))
  await first.stop()
  const second = await startEngine({ databaseUrl: database.url }, t)
  assert.equal((await second.metadata('export_metadata', {})).text, JSON.stringify(completeMetadata))
})

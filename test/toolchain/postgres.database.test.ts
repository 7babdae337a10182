import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../postgres.ts'

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('two test databases do not see each other', async (t) => {
  const [one, other] = await Promise.all([createTestDatabase(t), createTestDatabase(t)])
  await query(one.url, 'CREATE TABLE only_here (id integer)')
  const find = "SELECT to_regclass('only_here') IS NOT NULL AS found"
  assert.deepEqual(await query(one.url, find), [{ found: true }])
  assert.deepEqual(await query(other.url, find), [{ found: false }])
})

test('a test database is gone after drop, although a connection was open', async () => {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  client.on('error', () => {}) // the drop ends this connection
  await client.connect()
  await database.drop()
  await assert.rejects(query(database.url, 'SELECT 1'), { code: '3D000' })
})

/** The examples of docs/mutations.md: SQL is run, operations and mutations are sent, answers compared. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

const rowOperations = ['select', 'count', 'insert', 'update', 'delete']

test('the examples of docs/mutations.md do what they say', async (t) => {
  const database = await createTestDatabase(t)
  const engine = await startEngine({ databaseUrl: database.url }, t)
  const page = readFileSync('docs/mutations.md', 'utf8')
  let asked: unknown
  let compared = 0
  for (const [, language, text = ''] of page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (language === 'sql') await runOnDatabase(database.url, text)
    if (language === 'graphql') {
      const [, role, user = ''] = /^# as (\w+) (\w+)$/m.exec(text) ?? []
      const headers = role ? { 'X-Svc-Role': role, 'X-Svc-User-Id': user } : {}
      asked = (await engine.post('/v1/graphql', { query: text }, headers)).body
    }
    if (language !== 'json') continue
    const json = JSON.parse(text)
    if (rowOperations.includes(json.type)) asked = (await engine.post('/v1/query', json)).body
    else if (typeof json.type === 'string') {
      const answer = await engine.metadata(json.type, json.args)
      assert.equal(answer.status, 200, answer.text)
    } else {
      assert.deepEqual(asked, json)
      compared++
    }
  }
  assert.equal(compared, 8)
})

/** The examples of docs/stored-queries.md: SQL is run, operations and requests are sent, answers compared. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

test('the examples of docs/stored-queries.md do what they say', async (t) => {
  const database = await createTestDatabase(t)
  const engine = await startEngine({ databaseUrl: database.url }, t)
  const blocks = readFileSync('docs/stored-queries.md', 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)
  let asked = 0
  for (const [, language, text = ''] of blocks) {
    if (language === 'sql') await runOnDatabase(database.url, text)
    if (language === 'json') {
      const { type, args } = JSON.parse(text)
      const { status, text: said } = await engine.metadata(type, args)
      assert.equal(status, 200, said)
    }
    if (language !== 'http') continue
    const [request = '', answer = ''] = text.trim().split('\n')
    const [method = '', path = ''] = request.split(' ')
    const { status, text: said } = await engine.send(method, path, null)
    assert.equal(`${status} ${said}`, answer)
    asked++
  }
  assert.equal(asked, 1)
})

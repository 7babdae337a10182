/** The example of docs/routing.md: SQL is run, operations are sent, the answer compared. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

test('the example of docs/routing.md does what it says', async (t) => {
  const { url } = await createTestDatabase(t)
  const env = {
    PRIMARY_URL: url,
    REPLICA_URL: url,
    ACME_URL: url,
    SVC_GRAPHQL_ENABLED_APIS: 'graphql,metadata,metrics',
  }
  const engine = await startEngine({ databaseUrl: url, env }, t)
  const page = readFileSync('docs/routing.md', 'utf8')
  let answered: unknown
  let compared = 0
  for (const [, language, text = ''] of page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (language === 'sql') {
      await runOnDatabase(url, text)
      continue
    }
    const json = JSON.parse(text)
    if (typeof json.type === 'string') {
      const { status, text: said, body } = await engine.metadata(json.type, json.args)
      assert.equal(status, 200, said)
      answered = body
    } else {
      assert.deepEqual(answered, json)
      compared += 1
    }
  }
  assert.equal(compared, 1)
  await engine.observed('replica-serving')
  await engine.observed('health-checked', ({ status }) => status === 'OK')
  const { text } = await engine.get('/v1/metrics')
  for (const [, figure = ''] of page.matchAll(/`(svc_\w+)`/g)) assert.match(text, new RegExp(figure), figure)
})

/** The examples of docs/naming.md, docs/relay.md and docs/apollo-federation.md: SQL is run, operations and queries are sent, answers compared. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

const pages = [
  { page: 'naming', path: '/v1/graphql', queries: 1 },
  { page: 'relay', path: '/v1beta1/relay', queries: 3 },
  { page: 'apollo-federation', path: '/v1/graphql', queries: 1 },
] as const

const blocksOf = (page: string): readonly (readonly [string, string])[] =>
  [...readFileSync(`docs/${page}.md`, 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', text = '']) => [language, text] as const,
  )

for (const { page, path, queries } of pages)
  test(`the examples of docs/${page}.md do what they say`, async (t) => {
    const database = await createTestDatabase(t)
    // two databases of the same tables, where the page has a second source
    const other = await createTestDatabase(t)
    const engine = await startEngine(
      { databaseUrl: database.url, env: { ARCHIVE_URL: other.url, SVC_GRAPHQL_ENABLE_APOLLO_FEDERATION: 'true' } },
      t,
    )
    const asked: unknown[] = []
    for (const [language, text] of blocksOf(page)) {
      if (language === 'sql') for (const { url } of [database, other]) await runOnDatabase(url, text)
      if (language === 'graphql') asked.push((await engine.post(path, { query: text })).body)
      if (language !== 'json') continue
      const json = JSON.parse(text)
      if (typeof json.type === 'string') {
        const { status, text: said } = await engine.metadata(json.type, json.args)
        assert.equal(status, 200, said)
      } else assert.deepEqual(asked.at(-1), { data: json })
    }
    assert.equal(asked.length, queries)
  })

/** The examples of docs/remote-relationships.md: operations and queries are sent, answers compared. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startRemoteServer } from './remote-server.ts'

test('the examples of docs/remote-relationships.md do what they say', async (t) => {
  const page = readFileSync('docs/remote-relationships.md', 'utf8')
  const blocks = [...page.matchAll(/^```([\w-]+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', text = '']) => [language, text] as const,
  )
  const first = (wanted: string) => blocks.find(([language]) => language === wanted)?.[1] ?? ''
  const user = (id: number) => ({ id, name: `user ${id}` })
  const remote = await startRemoteServer(first('graphql-schema'), {
    user: ({ id }: { id: number }) => user(id),
    users: () => [user(7), user(8)],
  })
  t.after(() => remote.close())
  const database = await createTestDatabase(t)
  await runOnDatabase(database.url, first('sql'))
  const engine = await startEngine({ databaseUrl: database.url }, t)
  const ok = async (type: string, args: unknown) => {
    const { status, text } = await engine.metadata(type, args)
    assert.equal(status, 200, text)
  }
  await ok('pg_track_table', { table: 'orders' })
  await ok('add_remote_schema', { name: 'crm', definition: { url: remote.url } })
  let query = ''
  let answers = 0
  for (const [language, text] of blocks) {
    if (language === 'graphql') query = text
    if (language === 'json') {
      const { type, args } = JSON.parse(text)
      await ok(type, args)
    }
    if (language !== 'answer') continue
    assert.deepEqual((await engine.post('/v1/graphql', { query })).body, { data: JSON.parse(text) })
    answers++
  }
  assert.equal(answers, 4)
})

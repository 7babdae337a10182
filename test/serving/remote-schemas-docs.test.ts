/** The examples of docs/remote-schemas.md: operations and queries are sent, answers compared. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { startRemoteServer } from './remote-server.ts'

test('the examples of docs/remote-schemas.md do what they say', async (t) => {
  const blocks = [...readFileSync('docs/remote-schemas.md', 'utf8').matchAll(/^```([\w-]+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', text = '']) => [language, text] as const,
  )
  const [, sdl = ''] = blocks.find(([language]) => language === 'graphql-schema') ?? []
  const remote = await startRemoteServer(sdl, { user: ({ id }: { id: number }) => ({ id, name: `user ${id}` }) })
  t.after(() => remote.close())
  const engine = await startEngine(
    { env: { CRM_URL: remote.url, CRM_TOKEN: 'x', SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true' } },
    t,
  )
  let role: Record<string, string> = {}
  let asked: { query: string; variables?: unknown } = { query: '' }
  let answers = 0
  for (const [language, text] of blocks) {
    if (language === 'graphql') asked = { query: text }
    if (language === 'variables') asked = { ...asked, variables: JSON.parse(text) }
    if (language === 'json') {
      const { type, args } = JSON.parse(text)
      const { status, text: said } = await engine.metadata(type, args)
      assert.equal(status, 200, said)
      if (type === 'add_remote_schema_permissions') role = { 'x-svc-role': 'user', 'x-svc-user-id': '9' }
    }
    if (language !== 'answer') continue
    assert.deepEqual((await engine.post('/v1/graphql', asked, role)).body, { data: JSON.parse(text) })
    answers++
  }
  assert.equal(answers, 2)
})

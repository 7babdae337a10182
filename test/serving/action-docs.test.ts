/** The examples of docs/actions.md and docs/transforms.md. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { evaluateTemplate, formatValueAsJson, parseTemplate } from '../../engine/src/templates/index.ts'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startHandlers } from './action-handlers.ts'

type Block = { readonly language: string; readonly about: string; readonly text: string }

const blocksOf = (page: string): readonly Block[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', about = '', text = '']) => ({ language, about, text: text.trim() }),
  )

test('the examples of docs/actions.md do what they say', async (t) => {
  const handlers = await startHandlers()
  t.after(() => handlers.close())
  const database = await createTestDatabase(t)
  const env = { SHOP_URL: handlers.url, SHOP_KEY: 'k', SVC_GRAPHQL_ADMIN_INTERNAL_ERRORS: 'false' }
  const engine = await startEngine({ databaseUrl: database.url, env }, t)
  let answer = ''
  let id: unknown
  let compared = 0
  for (const { language, about, text } of blocksOf('docs/actions.md')) {
    if (language === 'sql') await runOnDatabase(database.url, text)
    if (language === 'json') {
      const { type, args } = JSON.parse(text)
      const made = await engine.metadata(type, args)
      assert.equal(made.status, 200, made.text)
    }
    if (language === 'handler') {
      const [, status = '200', json = ''] = /^(?:(\d{3}) )?([\s\S]*)$/.exec(text) ?? []
      handlers.on(about, () => ({ status: Number(status), text: json }))
    }
    if (language === 'graphql') {
      const variables = text.includes('$id') ? { id } : {}
      const said = await engine.post('/v1/graphql', { query: text, variables })
      answer = said.text
      id = said.body.data?.report
      if (typeof id === 'string') await engine.observed('action-finished')
    }
    if (language === 'request') {
      const asked = handlers.asked.findLast(({ path }) => path === about)
      assert.deepEqual(asked?.body, JSON.parse(text))
    }
    if (language !== 'answer') continue
    assert.equal(answer, text)
    compared++
  }
  assert.equal(compared, 3)
})

test('the examples of docs/transforms.md do what they say', async (t) => {
  const engine = await startEngine({}, t)
  const body = { user: { name: 'Ada', tags: ['a', 'b'] }, count: 2 }
  let answer = ''
  let compared = 0
  for (const { language, text } of blocksOf('docs/transforms.md')) {
    if (language === 'json') answer = (await engine.metadata('test_webhook_transform', JSON.parse(text))).text
    if (language === 'answer') assert.equal(answer, text)
    if (language === 'template') assert.equal(resultOf(text.split('\n')[0] ?? '', body), text.split('\n')[1])
    if (language === 'answer' || language === 'template') compared++
  }
  assert.equal(compared, 10)
})

function resultOf(template: string, body: Readonly<Record<string, unknown>>): string {
  const variables = new Map([['$body', body as never]])
  const parsed = parseTemplate(template)
  const result =
    parsed.kind === 'error' ? parsed : evaluateTemplate(parsed.template, { variables, functions: new Map() })
  if (result.kind === 'error') {
    const { error_code: code, message, source_position: at } = result.error
    return `! ${code} ${at.start_line}:${at.start_column}-${at.end_line}:${at.end_column} ${message}`
  }
  const written = formatValueAsJson(result.value)
  return written.kind === 'text' ? `= ${written.text}` : written.error.message
}

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { blocksOf } from '../console-examples.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { runOnDatabase } from './run-on-database.ts'

for (const page of [
  'access-tokens.md',
  'metadata-api.md',
  'dry-run.md',
  'preview.md',
  'drafts.md',
  'usage.md',
  'ownership.md',
  'native-queries.md',
  'inherited-roles.md',
])
  test(`docs/${page} shows what the engine answers`, async (t) => {
    const blocks = blocksOf(readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8'))
    const { url } = await createTestDatabase(t)
    for (const { language, text } of blocks) if (language === 'sql') await runOnDatabase(url, text)
    const engine = await startEngine({ databaseUrl: url }, t)
    let shown = 0
    for (const { language, text } of blocks)
      if (language === 'json')
        for (const { endpoint, headers, request, status, answer } of examplesOf(text)) {
          const given = await engine.post(endpoint, request, headers)
          assert.deepEqual({ status: given.status, answer: leftOut(given.body, answer) }, { status, answer })
          shown++
        }
    assert.ok(shown > 2)
  })

interface Example {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly request: unknown
  readonly status: number
  readonly answer: unknown
}

/** `// POST /path` with headers after it, if any (`name: value, name: value`), a body, `// status`, the answer; as many of them as a block has. */
function examplesOf(text: string): readonly Example[] {
  const [, ...parts] = text.split(/^\/\/ /m)
  const read = (part = '') => {
    const end = part.indexOf('\n')
    return { head: part.slice(0, end), json: JSON.parse(part.slice(end)) as unknown }
  }
  return Array.from({ length: parts.length / 2 }, (_, i) => {
    const [asked, answered] = [read(parts[2 * i]), read(parts[2 * i + 1])]
    const [, endpoint = '', named = ''] = /^POST (\S+)\s*(.*)$/.exec(asked.head) ?? []
    const headers = Object.fromEntries(
      [...named.matchAll(/([\w-]+): ([^,]+)/g)].map(([, name, value]) => [name, value]),
    )
    return { endpoint, headers, request: asked.json, status: Number(answered.head), answer: answered.json }
  })
}

/** The value with `…` wherever the page leaves something out. */
function leftOut(value: unknown, shown: unknown): unknown {
  if (shown === '…') return value === undefined ? undefined : '…'
  if (Array.isArray(value) && Array.isArray(shown)) return value.map((item, i) => leftOut(item, shown[i]))
  if (typeof value !== 'object' || typeof shown !== 'object' || value === null || shown === null) return value
  const parts = shown as Readonly<Record<string, unknown>>
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, leftOut(part, parts[key])]))
}

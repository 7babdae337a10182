/** The snippets of docs/clients.md with the packages that they import. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { generate } from '@graphql-codegen/cli'
import { SignJWT } from 'jose'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { blocksOf } from '../console-examples.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

const blocks = blocksOf(readFileSync('docs/clients.md', 'utf8'))
const scripts = blocks.filter(({ language }) => language === 'js').map(({ text }) => text)
const key = 'a key of at least thirty-two characters'

describe('docs/clients.md', () => {
  let engine: Engine
  let token: string
  // below the checkout, where imports find the packages
  const folder = mkdtempSync(resolve('node_modules/.clients-'))
  before(async () => {
    const { url } = await createTestDatabase()
    for (const { language, text } of blocks) if (language === 'sql') await runOnDatabase(url, text)
    const jwt = JSON.stringify({ type: 'HS256', key })
    engine = await startEngine({ databaseUrl: url, env: { SVC_GRAPHQL_JWT_SECRET: jwt } })
    const table = { schema: 'public', name: 'item' }
    await engine.metadata('pg_track_table', { table })
    const permission = { columns: '*', filter: {} }
    await engine.metadata('pg_create_select_permission', { table, role: 'user', permission })
    const claims = { 'x-svc-allowed-roles': ['user'], 'x-svc-default-role': 'user' }
    token = await new SignJWT({ 'https://svc.io/jwt/claims': claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(key))
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await engine.stop()
  })

  for (const name of ['@urql/core', '@apollo/client', 'graphql-ws'])
    test(`the snippet of ${name} reads a row`, async (t) => {
      const text = scripts.find((script) => script.includes(`from '${name}'`)) ?? ''
      const isThere = await import(name).catch(() => null)
      if (!isThere) return t.skip(`${name} is not installed: npm ci`)
      const [imports, body] = split(text)
      const file = join(folder, `${name.replace(/\W/g, '-')}.mjs`)
      writeFileSync(file, `${imports}\nexport async function run(url, token) {\n${body}\n}\n`)
      const { run } = await import(pathToFileURL(file).href)
      const { item } = await run(engine.url, token)
      assert.deepEqual([item.length, item[0].id, item[0].name], [1, 1, 'lamp'])
    })

  test('codegen makes types of the scalars that the page says', async () => {
    const file = join(folder, 'scalars.mjs')
    writeFileSync(file, scripts.find((script) => script.startsWith('export const scalars')) ?? '')
    const { scalars } = await import(pathToFileURL(file).href)
    const [{ content }] = await generate(
      {
        schema: { [`${engine.url}/v1/graphql`]: { headers: { authorization: `Bearer ${token}` } } },
        generates: { 'types.ts': { plugins: ['typescript'], config: { scalars, strictScalars: false } } },
        silent: true,
      },
      false,
    )
    assert.match(content, /numeric: \{ input: number; output: number; \}/)
    const answer = await engine.post('/v1/graphql', { query: '{ item { price added } }' }, { 'x-svc-role': 'user' })
    assert.equal(typeof answer.body.data.item[0].price, scalars.numeric)
    assert.equal(typeof answer.body.data.item[0].added, scalars.timestamptz)
  })
})

/** Imports, and the rest. */
function split(text: string): readonly [string, string] {
  const end = text.indexOf('\n\n')
  return [text.slice(0, end), text.slice(end + 2)]
}

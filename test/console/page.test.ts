import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { conditionText } from '../../console/src/data/condition-text.ts'
import { prepareConsole } from '../../tools/start/build-console.ts'
import { type Engine, startEngine } from '../engine.ts'

const folder = join(import.meta.dirname, '../../console/page')
let engine: Engine
/** Of the page, without the licences. */
let files: readonly string[]

before(async () => {
  await prepareConsole(process.cwd())
  files = readdirSync(folder).filter((name) => !name.endsWith('.txt'))
})

test('the page is served with a policy, names its files whatever stands before them, and leads to no other file', async (t) => {
  engine = await startEngine({ env: { SVC_GRAPHQL_ENABLE_CONSOLE: 'true', SVC_GRAPHQL_HEADER_PREFIX: 'X-Shop-' } }, t)
  const page = await engine.get('/console')
  assert.equal(page.status, 200)
  assert.equal(
    page.headers['content-security-policy'],
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  assert.match(page.text, /<script type="module" src="console\/console.js">/)
  assert.match(page.text, /content="X-Shop-"/)
  assert.match((await engine.get('/console/data/x')).text, /src="\.\.\/\.\.\/console\/console\.js"/)
  const types: Readonly<Record<string, RegExp>> = { js: /javascript/, css: /css/, svg: /svg/ }
  for (const name of files.filter((one) => one !== 'page.html'))
    assert.match(
      String((await engine.get(`/console/${name}`)).headers['content-type']),
      types[name.split('.').at(-1) ?? ''] ?? /^$/,
      name,
    )
  assert.match((await engine.get('/console/page.html')).text, /<div id="console">/)
  assert.doesNotMatch((await engine.get('/console/%2e%2e/package.json')).text, /@svc\/console/)
})

test('the page takes at most 250 kB, compressed', () => {
  const sizes = files.map((name) => gzipSync(readFileSync(join(folder, name))).length)
  const all = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(all < 250_000, `${all} bytes`)
})

test('conditions are read out', () => {
  const read = [
    [{}, ''],
    [{ id: { _eq: 'X-Svc-Id' } }, 'id = X-Svc-Id'],
    [{ _or: [{ a: { _gt: 1, _lt: 5 } }, { b: { _is_null: true } }] }, '(a > 1 and a < 5) or b is null'],
    [{ _not: { owner: { name: { _in: ['x', 'y'] } } } }, 'not (owner.name in ["x","y"])'],
    [{ _exists: { _table: { schema: 'public', name: 'plan' }, _where: { id: { _eq: 1 } } } }, 'some plan with id = 1'],
    [{ _or: [] }, 'no row'],
    [{ a: 5 }, 'a = 5'],
  ] as const
  for (const [condition, text] of read) assert.equal(conditionText(condition), text)
})

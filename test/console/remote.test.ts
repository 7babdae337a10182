/** `svc console`: the page for an engine elsewhere, on this machine alone. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { prepareConsole } from '../../tools/start/build-console.ts'
import { createSvcFolder, type SvcFolder } from '../cli/svc.ts'
import { type Engine, startEngine } from '../engine.ts'
import { openSocket } from '../websocket-client.ts'
import { openPage, skip, startBrowser, write } from './open-page.ts'

let engine: Engine
let folder: SvcFolder
let command: ReturnType<SvcFolder['start']>
/** With the token, without what stands behind it. */
let base: URL
const cleanUps: (() => Promise<void>)[] = []

before(async () => {
  await prepareConsole(process.cwd())
  engine = await startEngine({ secret: 'never-in-the-page' })
  const sql = 'CREATE TABLE item (id int PRIMARY KEY); INSERT INTO item VALUES (7)'
  assert.equal((await engine.post('/v2/query', { type: 'run_sql', args: { sql } })).status, 200)
  assert.equal((await engine.metadata('pg_track_table', { table: 'item' })).status, 200)
  folder = await createSvcFolder(engine, { after: (cleanUp) => cleanUps.push(cleanUp) })
  command = folder.start('console')
  const line = await command.line
  assert.match(line, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/console$/, line || (await command.ended).stderr)
  base = new URL(line.replace(/\/console$/, ''))
})

after(async () => {
  command.kill('SIGKILL')
  await command.ended
  for (const cleanUp of cleanUps) await cleanUp()
  await engine.stop()
})

interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

async function send(path: string, body: unknown, headers: OutgoingHttpHeaders = {}): Promise<Got> {
  const { hostname, port } = base
  const sent = request({
    hostname,
    port,
    path,
    method: body === null ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  })
  sent.end(body === null ? undefined : JSON.stringify(body))
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += part
  assert.ok(!JSON.stringify([text, response.headers]).includes(engine.secret), `${path} answers with the secret`)
  return { status: response.statusCode, headers: response.headers, text }
}

const exported = { type: 'export_metadata', version: 2, args: {} }

test('other hosts, origins and tokens are refused, and paths that the page has no use for', async () => {
  const own = base.pathname
  const port = Number(base.port)
  const cases: readonly (readonly [string, OutgoingHttpHeaders])[] = [
    [own, { host: `evil.example:${port}` }],
    [own, { host: `localhost:${port}` }],
    [own, { origin: 'http://evil.example' }],
    [own, { origin: `http://127.0.0.1:${port + 1}` }],
    [own, { origin: 'null' }],
    [`/${'x'.repeat(43)}`, {}],
    ['/short', {}],
    ['', {}],
  ]
  for (const [prefix, headers] of cases) {
    const what = JSON.stringify([prefix, headers])
    assert.equal((await send(`${prefix}/console`, null, headers)).status, 403, what)
    assert.equal((await send(`${prefix}/v1/metadata`, exported, headers)).status, 403, what)
    const upgraded = openSocket({ url: base.origin }, { path: `${prefix}/v1/graphql`, headers: headers as Record<string, string> }) // biome-ignore format: one
    await assert.rejects(upgraded, /Unexpected server response: 403/, what)
  }
  assert.equal((await send('/', null)).status, 403)
  for (const path of ['/v2/query', '/v1/metadata/../../v2/query', '/console/../package.json', '/console/x.js', ''])
    assert.equal((await send(own + path, exported)).status, 404, path)
  const elsewhere = openSocket({ url: base.href }, { path: '/v1/metadata' })
  await assert.rejects(elsewhere, /Unexpected server response: 404/)
})

test('nothing listens beyond the loopback address', async () => {
  const socket = connect(Number(base.port), '127.0.0.2')
  const [error] = await once(socket, 'error')
  assert.equal(error.code, 'ECONNREFUSED')
})

test('the page, metadata, operations as a role and subscriptions pass, as the admin', async () => {
  const page = await send(`${base.pathname}/console`, null)
  assert.equal(page.status, 200)
  assert.equal(
    page.headers['content-security-policy'],
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  assert.match(page.text, /src="console\/console\.js"/)
  assert.match(page.text, /content="X-Svc-"/)
  const origin = { origin: base.origin }
  const answer = await send(`${base.pathname}/v1/metadata`, exported, origin)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(JSON.parse(answer.text).metadata.version, 3)
  const query = await send(`${base.pathname}/v1/graphql`, { query: '{ item { id } }' }, origin)
  assert.deepEqual(JSON.parse(query.text), { data: { item: [{ id: 7 }] } })
  const config = await send(`${base.pathname}/v1alpha1/config`, null)
  assert.equal(JSON.parse(config.text).events_withheld, null)
  const asked = { query: '{ item { id } }' }
  const nobody = await send(`${base.pathname}/v1/graphql`, asked, { ...origin, 'x-svc-role': 'nobody' })
  assert.match(nobody.text, /field 'item' not found in type: 'query_root'/)
  const socket = await openSocket({ url: base.href }, { protocol: 'graphql-transport-ws', headers: origin, init: {} })
  socket.send({ type: 'subscribe', id: '1', payload: { query: 'subscription { item { id } }' } })
  assert.deepEqual((await socket.next()).payload, { data: { item: [{ id: 7 }] } })
  socket.close()
  await socket.closed
})

test('in a browser it needs no secret, and knows none', { skip }, async (t) => {
  const browser = await startBrowser()
  t.after(() => browser.close())
  const { page, complaints } = await openPage(browser, base.href)
  const received: Promise<string>[] = []
  page.on('response', (response) => received.push(response.text().catch(() => '')))
  await write(page, 'Operation', '{ item { id } }')
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('textbox', { name: 'Answer' }).getByText('"id": 7').waitFor()
  await write(page, 'Operation', 'subscription { item { id } }')
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByText('Running: 1 answers').waitFor()
  assert.deepEqual(complaints, [])
  assert.ok(!(await Promise.all(received)).join().includes(engine.secret))
  const kept = await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])')
  assert.ok(!String(kept).includes(engine.secret))
})

test('a wrong secret and a port that is taken are said; Ctrl-C ends it, with what is open', async () => {
  const [wrong, taken] = await Promise.all([
    folder.svc('console', '--admin-secret', 'wrong'),
    folder.svc('console', '--port', base.port),
  ])
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /does not accept the admin secret/)
  assert.match(taken.stderr, /^error: port \d+ cannot be had \(EADDRINUSE\): give --port another/m)
  const socket = await openSocket({ url: base.href }, { protocol: 'graphql-transport-ws', init: {} })
  command.kill('SIGINT')
  assert.equal((await socket.closed).code, 1006)
  const { code, stderr } = await command.ended
  assert.equal(code, 0, stderr)
  assert.match(stderr, /Ctrl-C ends it/)
})

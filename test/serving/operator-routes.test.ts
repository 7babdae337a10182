import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { untrustedCertificate, untrustedKey } from '../cli/untrusted-certificate.ts'
import { startEngine } from '../engine.ts'

test('what operators ask for: console, developer API, dumps, 401', async (t) => {
  const assets = mkdtempSync(join(tmpdir(), 'svc-assets-'))
  t.after(() => rmSync(assets, { recursive: true }))
  writeFileSync(join(assets, 'main.js'), '1')
  const engine = await startEngine(
    {
      env: {
        SVC_GRAPHQL_ENABLE_CONSOLE: 'true',
        SVC_GRAPHQL_CONSOLE_ASSETS_DIR: assets,
        SVC_GRAPHQL_ENABLED_APIS: 'metadata,graphql,developer,pgdump',
        SVC_GRAPHQL_PRESERVE_401_ERRORS: 'true',
        PATH: '/nowhere',
      },
    },
    t,
  )
  assert.deepEqual((await engine.get('/healthz?sources=true')).text, 'OK')
  const { body: metadata } = await engine.metadata('export_metadata', {})
  const configuration = { connection_info: { database_url: 'postgres://u@127.0.0.1:1/d' } }
  const away = { name: 'away', kind: 'postgres', tables: [], configuration }
  const args = { allow_inconsistent_metadata: true, metadata: { ...metadata, sources: [...metadata.sources, away] } }
  assert.equal((await engine.metadata('replace_metadata', args, { version: 2 })).status, 200)
  const health = await engine.get('/healthz?sources=true')
  assert.deepEqual([health.status, health.text], [500, 'ERROR: sources cannot be reached: away'])
  assert.equal((await engine.get('/healthz')).status, 200)
  const root = await engine.get('/')
  assert.deepEqual([root.status, root.headers.location], [302, 'console'])
  for (const path of ['/console', '/console/data/x']) {
    const page = await engine.get(path, { 'x-svc-admin-secret': null })
    assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8'])
    // of a checkout in which nothing was built
    assert.match(page.text, /<div id="console">|The console is not installed/)
  }
  const script = await engine.get('/console/assets/main.js')
  assert.deepEqual([script.text, script.headers['content-type']], ['1', 'text/javascript; charset=utf-8'])
  for (const path of ['nope', '..%2f..%2fetc/passwd', '%2fetc%2fpasswd', '%'])
    assert.equal((await engine.get(`/console/assets/${path}`)).body.error, `Couldn't find console asset ${path}`)
  const developed = await engine.get('/dev/subscriptions')
  assert.deepEqual(Object.keys(developed.body), [
    'options',
    'live_queries_map',
    'stream_queries_map',
    'stream_queries_options',
  ])
  assert.equal((await engine.get('/dev/plan_cache')).text, 'null')
  assert.equal((await engine.get('/dev/subscriptions', { 'x-svc-role': 'user' })).body.code, 'access-denied')
  assert.equal((await engine.post('/v1/graphql', {}, { 'x-svc-admin-secret': 'x' })).status, 401)
  assert.equal((await engine.get('/v1alpha1/config')).status, 404)
  const dump = (body: unknown, headers = {}) => engine.post('/v1alpha1/pg_dump', body, headers)
  assert.equal((await dump({ opts: ['-s'] }, { 'x-svc-role': 'user' })).body.code, 'access-denied')
  assert.equal((await dump({ opts: ['-s'], source: 'nope' })).body.code, 'not-found')
  assert.equal((await dump({})).body.code, 'parse-failed')
  const dumped = await dump({ opts: ['-O', '-x', '--schema', 'public'], clean_output: true })
  // the machine may have it or not, or one older than the database
  if (dumped.status === 200) {
    assert.equal(dumped.headers['content-type'], 'application/sql')
    assert.ok(!/^--/m.test(dumped.text))
  } else assert.match(dumped.body.error, /^(pg_dump is not installed|error while executing pg_dump)/)
})

test('a request that the system holds already is answered although the engine was asked to stop', async (t) => {
  const engine = await startEngine({}, t)
  const { port, hostname } = new URL(engine.url)
  const body = JSON.stringify({ query: '{ __typename }' })
  const head = (more: string) =>
    `POST /v1/graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Svc-Admin-Secret: ${engine.secret}\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`
  const sockets = await Promise.all(
    ['', 'TE: trailers\r\n'].map(async (more) => {
      const socket = connect(Number(port), hostname)
      let text = ''
      socket.on('data', (part) => {
        text += part.toString('latin1')
      })
      socket.write(head(more))
      while (!text.includes('query_root')) await new Promise((resolve) => socket.once('data', resolve))
      text = ''
      return { socket, more, ended: new Promise((resolve) => socket.once('close', resolve)), answer: () => text }
    }),
  )
  // stopped, it reads nothing: the request waits in the system's buffer when the signal comes
  process.kill(engine.pid, 'SIGSTOP')
  for (const { socket, more } of sockets)
    await new Promise<void>((resolve) => socket.write(head(more), () => resolve()))
  process.kill(engine.pid, 'SIGTERM')
  process.kill(engine.pid, 'SIGCONT')
  for (const { ended, answer } of sockets) {
    await ended
    assert.match(answer(), /^HTTP\/1\.1 200 /)
    assert.match(answer(), /query_root/)
  }
})

test('a browser finds a page at /, and a client with a mistyped query where', async (t) => {
  const engine = await startEngine({}, t)
  const page = await engine.get('/', { 'x-svc-admin-secret': null, accept: 'text/html' })
  assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8'])
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; style-src 'unsafe-inline'/)
  assert.match(page.text, /\/v1\/graphql/)
  assert.ok(!page.text.includes(engine.secret))
  assert.equal((await engine.get('/console')).status, 404)
  const asUser = { 'x-svc-role': 'user' }
  assert.deepEqual((await engine.post('/v1/graphql', { query: '{\n  artist {\n' }, asUser)).body, {
    errors: [
      {
        message: 'not a valid graphql query',
        locations: [{ line: 3, column: 1 }],
        extensions: { path: '$.query', code: 'validation-failed' },
      },
    ],
  })
})

test('with certificate and key, HTTPS is served', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tls-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [certificate, key] = [join(folder, 'c.pem'), join(folder, 'k.pem')]
  writeFileSync(certificate, untrustedCertificate)
  writeFileSync(key, untrustedKey)
  const env = { SVC_GRAPHQL_TLS_CERT_FILE: certificate, SVC_GRAPHQL_TLS_KEY_FILE: key }
  const engine = await startEngine({ env }, t)
  assert.match(engine.url, /^https:/)
  const text = await new Promise<string>((resolve, reject) => {
    get(`${engine.url}/healthz`, { ca: untrustedCertificate, servername: 'localhost' }, (response) => {
      response.setEncoding('utf8')
      response.once('data', resolve)
    }).once('error', reject)
  })
  assert.equal(text, 'OK')
  await assert.rejects(startEngine({ env: { SVC_GRAPHQL_TLS_KEY_FILE: key } }), /are needed together/)
  await assert.rejects(
    startEngine({ env: { ...env, SVC_GRAPHQL_TLS_KEY_FILE: certificate } }),
    /the TLS files .* cannot be used/,
  )
})

/** Starting and stopping (reference/server), through the real process. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { test } from 'node:test'
import pg from 'pg'
import { type EngineOptions, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

const main = new URL('../../engine/bin/svc-engine.js', import.meta.url).pathname

function run(args: readonly string[], env: Record<string, string> = {}) {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_GRAPHQL_')))
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    env: { ...clean, ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

/** The last line of an engine that does not start. */
async function refusal(options: EngineOptions): Promise<string> {
  const error = await startEngine(options).then(
    async (engine) => {
      await engine.stop()
      return assert.fail('it started')
    },
    (reason: Error) => reason,
  )
  assert.match(error.message, /^the engine ended \(1\)/)
  return error.message.split('\n').findLast((line) => line.includes('start_failed')) ?? error.message
}

async function ask(url: string, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Until a statement of this database waits for an advisory lock; other databases of the server have their own. */
async function untilWaitedFor(lock: pg.Client): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`
  while ((await lock.query(waiting)).rows.length === 0);
}

test('version, help and a wrong flag need no database', () => {
  assert.match(run(['version']).stdout, /^svc-engine \d+\.\d+\.\d+\n$/)
  assert.match(run(['--help']).stdout, /--database-url URL/)
  assert.deepEqual(run(['--nope']), {
    status: 1,
    stdout: '',
    stderr: 'Fatal Error: unknown flag: --nope (see svc-engine --help)\n',
  })
  const nothing = run([])
  assert.equal(nothing.status, 1)
  assert.match(
    nothing.stderr,
    /^Fatal Error: Either of .*SVC_GRAPHQL_METADATA_DATABASE_URL.*SVC_GRAPHQL_DATABASE_URL.*SVC_GRAPHQL_EMBEDDED/,
  )
})

test('a domain that no page can have is refused', () => {
  const { status, stderr } = run(['--cors-domain', 'ftp://x', '--database-url', 'postgres://127.0.0.1:1/x'])
  assert.equal(status, 1)
  assert.match(stderr, /--cors-domain: invalid domain: 'ftp:\/\/x'/)
})

test('export says why it cannot connect, without the password', () => {
  const { status, stdout, stderr } = run(['--database-url', 'postgres://u:geheim@127.0.0.1:1/x', 'export'])
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /connection error: connect ECONNREFUSED 127\.0\.0\.1:1/)
  assert.ok(!stderr.includes('geheim'))
})

test('a request in the buffer of a kept-alive connection is answered, though the engine is asked to stop', async (t) => {
  const engine = await startEngine({ secret: null }, t)
  const { hostname, port } = new URL(engine.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  const ended = once(socket, 'close')
  const request = `GET /v1/version HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`
  socket.write(request)
  text += (await once(socket, 'data'))[0]
  socket.on('data', (data) => {
    text += data
  })
  // both wait for the process when it goes on
  engine.kill('SIGSTOP')
  await new Promise<void>((resolve) => socket.write(request, () => resolve()))
  engine.kill('SIGTERM')
  engine.kill('SIGCONT')
  await ended
  assert.equal(text.match(/HTTP\/1\.1 200/g)?.length, 2, text)
})

test('asked to stop, the engine answers for the shutdown delay, and /readyz says that it stops', async (t) => {
  const engine = await startEngine({ secret: null, env: { SVC_GRAPHQL_SHUTDOWN_DELAY: '3600' } }, t)
  assert.deepEqual((await engine.get('/readyz')).text, 'OK')
  engine.kill('SIGTERM')
  await engine.observed('server-stopping')
  const { status, text, headers } = await engine.get('/readyz')
  assert.deepEqual([status, text, headers.connection], [503, 'STOPPING', 'close'])
  assert.equal((await engine.post('/v1/graphql', { query: '{ __typename }' })).status, 200)
  engine.kill('SIGTERM')
  assert.equal(await engine.ended, 1)
})

/** What the system holds already is answered for a few turns of the event loop. */
const isRefused = ({ url }: { readonly url: string }) =>
  fetch(`${url}/healthz`).then(
    () => false,
    () => true,
  )

for (const parser of ['the connection itself', 'node'])
  test(`requests behind a running one are answered, though the engine is asked to stop (read by ${parser})`, async (t) => {
    const { url: databaseUrl } = await createTestDatabase(t)
    const engine = await startEngine({ databaseUrl, secret: null }, t)
    const lock = new pg.Client({ connectionString: databaseUrl })
    await lock.connect()
    t.after(() => lock.end())
    lock.on('error', () => {})
    await lock.query('SELECT pg_advisory_lock(1), pg_advisory_lock(2)')
    const { hostname, port } = new URL(engine.url)
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (data) => {
      text += data
    })
    const ended = once(socket, 'close')
    const post = (path: string, value: unknown) => {
      const body = JSON.stringify(value)
      const head = `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n`
      return parser === 'node'
        ? `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
        : `${head}Content-Length: ${body.length}\r\n\r\n${body}`
    }
    const sql = (script: string) => post('/v2/query', { type: 'run_sql', args: { sql: script } })
    socket.write(
      // node's parser begins all three at once
      sql('SELECT pg_advisory_lock(1)') +
        post('/v1/graphql', { query: '{ __typename }' }) +
        sql('SELECT 2 AS second FROM pg_advisory_xact_lock(2)'),
    )
    await untilWaitedFor(lock)
    engine.kill('SIGTERM')
    await engine.observed('server-stopping')
    while (!(await isRefused(engine)));
    // not begun any more, as the last answer says
    socket.write(post('/v1/graphql', { query: '{ late: __typename }' }))
    await lock.query('SELECT pg_advisory_unlock(1), pg_advisory_unlock(2)')
    await ended
    const answers = text.split(/(?=HTTP\/1\.1 )/)
    assert.deepEqual(
      answers.map((answer) => [/^HTTP\/1\.1 200/.test(answer), /^connection: close/im.test(answer)]),
      [
        [true, false],
        [true, false],
        [true, true],
      ],
      text,
    )
    assert.match(answers[1] ?? '', /query_root/)
    assert.match(answers[2] ?? '', /second/)
    assert.equal(await engine.ended, 0)
  })

test('export prints the metadata, clean removes it', async (t) => {
  const { url } = await createTestDatabase(t)
  const engine = await startEngine({ databaseUrl: url }, t)
  await engine.stop()
  const exported = run(['--database-url', url, 'export'])
  assert.equal(JSON.parse(exported.stdout).sources[0].name, 'default')
  const cleaned = run(['--database-url', url, 'clean'])
  assert.deepEqual([cleaned.status, cleaned.stdout], [0, 'successfully cleaned graphql-engine related data\n'])
  assert.deepEqual(await ask(url, `SELECT to_regnamespace('svc_catalog') IS NULL AS gone`), [{ gone: true }])
  assert.equal(run(['--database-url', url, 'export']).status, 1)
})

test('a port in use is one line that says what to do, and exit code 1', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  const holder = createServer().listen(0)
  await once(holder, 'listening')
  t.after(() => void holder.close())
  const port = String((holder.address() as { port: number }).port)
  const line = await refusal({ databaseUrl, env: { SVC_GRAPHQL_SERVER_PORT: port } })
  assert.match(JSON.parse(line).detail.info.message, new RegExp(`^Port ${port} is in use\\. .*--server-port`))
})

test('a metadata database that cannot be reached is tried again, then reported without its password', async () => {
  const databaseUrl = 'postgres://u:geheim@127.0.0.1:1/d'
  const line = await refusal({ databaseUrl, env: { SVC_GRAPHQL_NO_OF_RETRIES: '1' } })
  assert.match(
    JSON.parse(line).detail.info.message,
    /^Cannot use the metadata database postgres:\/\/u:\*\*\*@127\.0\.0\.1:1\/d: .*ECONNREFUSED/,
  )
  assert.ok(!line.includes('geheim'))
})

test('a newer catalogue is reported, and not touched', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  await (await startEngine({ databaseUrl }, t)).stop()
  await ask(databaseUrl, `UPDATE svc_catalog.svc_version SET version = '1000'`)
  assert.match(JSON.parse(await refusal({ databaseUrl })).detail.info.message, /newer version/)
})

test('four engines that start at once on an empty database all serve one catalogue', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  const engines = await Promise.all(Array.from({ length: 4 }, () => startEngine({ databaseUrl }, t)))
  const ids = await Promise.all(
    engines.map(async (engine) => (await engine.metadata('export_metadata', {})).headers['x-svc-catalog-id']),
  )
  assert.equal(new Set(ids).size, 1)
})

test('a signal lets requests in flight finish, refuses new ones, and ends with 0', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  const engine = await startEngine({ databaseUrl }, t)
  const lock = new pg.Client({ connectionString: databaseUrl })
  await lock.connect()
  t.after(() => lock.end())
  lock.on('error', () => {})
  await lock.query('SELECT pg_advisory_lock(1)')
  const slow = engine.post('/v2/query', { type: 'run_sql', args: { sql: 'SELECT pg_advisory_lock(1)' } })
  await untilWaitedFor(lock)
  engine.kill('SIGTERM')
  const stopping = await engine.observed('server-stopping')
  assert.deepEqual([stopping.signal, stopping.requestsInFlight], ['SIGTERM', 1])
  while (!(await isRefused(engine)));
  await lock.query('SELECT pg_advisory_unlock(1)')
  assert.equal((await slow).status, 200)
  assert.equal(await engine.ended, 0)
})

test('a request that outlasts the graceful timeout is cut off, although its statement still runs', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  const engine = await startEngine({ databaseUrl, env: { SVC_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT: '0' } }, t)
  const lock = new pg.Client({ connectionString: databaseUrl })
  await lock.connect()
  lock.on('error', () => {})
  t.after(() => lock.end())
  await lock.query('SELECT pg_advisory_lock(1)')
  const slow = engine
    .post('/v2/query', { type: 'run_sql', args: { sql: 'SELECT pg_advisory_lock(1)' } })
    .catch(() => 'cut off')
  await untilWaitedFor(lock)
  engine.kill('SIGTERM')
  assert.equal(await slow, 'cut off')
  assert.equal(await engine.ended, 0)
})

test('a second signal ends it at once', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  const engine = await startEngine({ databaseUrl }, t)
  const lock = new pg.Client({ connectionString: databaseUrl })
  await lock.connect()
  lock.on('error', () => {})
  t.after(() => lock.end())
  await lock.query('SELECT pg_advisory_lock(1)')
  const slow = engine
    .post('/v2/query', { type: 'run_sql', args: { sql: 'SELECT pg_advisory_lock(1)' } })
    .catch(() => 'cut off')
  await untilWaitedFor(lock)
  engine.kill('SIGTERM')
  await engine.observed('server-stopping')
  engine.kill('SIGTERM')
  assert.equal(await slow, 'cut off')
  assert.equal(await engine.ended, 1)
})

test('while the catalogue is unavailable there are ERROR and connection error, GraphQL is served, and the engine recovers by itself', async (t) => {
  const [catalogue, source] = [await createTestDatabase(t), await createTestDatabase(t)]
  await ask(source.url, `CREATE TABLE artist (id integer PRIMARY KEY); INSERT INTO artist VALUES (1)`)
  const engine = await startEngine(
    { databaseUrl: source.url, env: { SVC_GRAPHQL_METADATA_DATABASE_URL: catalogue.url } },
    t,
  )
  await engine.metadata('pg_track_table', { table: 'artist' })
  const name = new URL(catalogue.url).pathname.slice(1)
  await ask(source.url, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  // waits for each: one that is still about to end would answer once more
  await ask(source.url, `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '${name}'`)
  await engine.observed('catalogue-lost')
  const health = await engine.get('/healthz')
  assert.deepEqual([health.status, health.text], [500, 'ERROR'])
  assert.equal((await engine.get('/readyz')).text, 'OK', 'it can serve')
  const refused = await engine.metadata('export_metadata', {})
  assert.deepEqual([refused.status, refused.body.code, refused.body.error], [500, 'postgres-error', 'connection error'])
  const answer = await engine.post('/v1/graphql', { query: '{ artist { id } }' })
  assert.deepEqual(answer.body, { data: { artist: [{ id: 1 }] } })
  await ask(source.url, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
  await engine.observed('catalogue-back')
  assert.equal((await engine.get('/healthz')).text, 'OK')
  assert.equal((await engine.metadata('export_metadata', {})).status, 200)
})

test('inconsistent metadata is WARN, and with strict an ERROR', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  await ask(databaseUrl, 'CREATE TABLE artist (id integer PRIMARY KEY)')
  const engine = await startEngine({ databaseUrl }, t)
  await engine.metadata('pg_track_table', { table: 'artist' })
  await ask(databaseUrl, 'DROP TABLE artist')
  await engine.metadata('reload_metadata', {})
  const health = await engine.get('/healthz')
  assert.deepEqual([health.status, health.text], [200, 'WARN: inconsistent objects in schema'])
  const strict = await engine.get('/healthz?strict=true')
  assert.deepEqual([strict.status, strict.text], [500, 'ERROR: inconsistent objects in schema'])
})

test('without an admin secret only this machine and its pages are answered', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  const engine = await startEngine({ databaseUrl, secret: null }, t)
  assert.equal(new URL(engine.url).hostname, '127.0.0.1')
  assert.equal((await engine.observed('admin-secret-missing')).host, '127.0.0.1')
  assert.equal((await engine.get('/v1/version', { origin: 'http://localhost:3000' })).status, 200)
  for (const headers of [{ origin: 'https://evil.example' }, { host: 'evil.example' }, { origin: 'null' }]) {
    const { status, body, headers: sent } = await engine.get('/v1/version', headers)
    assert.deepEqual([status, body.code, sent['access-control-allow-origin']], [400, 'access-denied', undefined])
  }
})

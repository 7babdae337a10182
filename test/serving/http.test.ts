/** The surface of HTTP (reference/http), through the real process. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('HTTP', () => {
  let database: TestDatabase
  let engine: Engine
  before(async () => {
    database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`CREATE TABLE artist (id integer PRIMARY KEY, name text NOT NULL);
      INSERT INTO artist SELECT n, 'artist ' || n FROM generate_series(1, 2000) n`)
    await client.end()
    engine = await startEngine({ databaseUrl: database.url })
    const table = { schema: 'public', name: 'artist' }
    assert.equal((await engine.metadata('pg_track_table', { table })).status, 200)
    const permission = { columns: ['id'], filter: { id: { _eq: 'X-Svc-User-Id' } } }
    const created = await engine.metadata('pg_create_select_permission', { table, role: 'user', permission })
    assert.equal(created.status, 200)
  })
  after(async () => {
    await engine.stop()
    await database.drop()
  })

  const apiError = (answer: { status: number; body: { error: string; path: string; code: string } }) => [
    answer.status,
    answer.body.code,
    answer.body.path,
  ]

  test('a query is answered with the rows its role may see', async () => {
    const query = 'query { artist(limit: 2, order_by: {id: asc}) { id } }'
    assert.deepEqual((await engine.post('/v1/graphql', { query })).body, { data: { artist: [{ id: 1 }, { id: 2 }] } })
    const restricted = await engine.post('/v1/graphql', { query }, { 'x-svc-role': 'user', 'X-Svc-User-Id': '7' })
    assert.deepEqual(restricted.body, { data: { artist: [{ id: 7 }] } })
  })

  test('a batch is answered in order, and a failing item does not stop the rest', async () => {
    const { status, body } = await engine.post('/v1/graphql', [
      { query: '{ artist_by_pk(id: 1) { id } }' },
      { query: '{ nothing }' },
      { query: '{ artist_by_pk(id: 2) { id } }' },
    ])
    assert.equal(status, 200)
    assert.deepEqual([body[0], body[2]], [{ data: { artist_by_pk: { id: 1 } } }, { data: { artist_by_pk: { id: 2 } } }])
    assert.equal(body[1].errors[0].extensions.code, 'validation-failed')
    assert.equal((await engine.post('/v1/graphql', [])).text, '[]')
  })

  test('errors of /v1/graphql have status 200 unless the body is no JSON; /v1alpha1/graphql keeps the status', async () => {
    const wrong = { 'x-svc-admin-secret': 'wrong' }
    const cases: readonly [string, string | null, string, number][] = [
      ['{"query":"{ nothing }"}', null, 'validation-failed', 400],
      ['{"query":1}', null, 'parse-failed', 400],
      ['[1', null, 'invalid-json', 400],
      ['{"query":"{ artist { id } }"}', 'wrong', 'access-denied', 401],
    ]
    for (const [body, secret, code, status] of cases) {
      const headers = secret ? wrong : {}
      const answer = await engine.send('POST', '/v1/graphql', body, headers)
      assert.equal(answer.status, code === 'invalid-json' ? 400 : 200)
      assert.deepEqual(Object.keys(answer.body), ['errors'])
      assert.equal(answer.body.errors[0].extensions.code, code)
      const alpha = await engine.send('POST', '/v1alpha1/graphql', body, headers)
      assert.deepEqual([alpha.status, alpha.body.errors[0].extensions.code], [status, code])
    }
  })

  test('GET on /v1/graphql executes queries, with variables and the name of an operation', async () => {
    const query = 'query a($id: Int!) { artist_by_pk(id: $id) { id } } query b { artist_by_pk(id: 2) { id } }'
    const get = (parameters: Record<string, string>) => engine.get(`/v1/graphql?${new URLSearchParams(parameters)}`)
    const one = await get({ query, operationName: 'a', variables: '{"id":1}', extensions: '{}' })
    assert.deepEqual([one.status, one.body], [200, { data: { artist_by_pk: { id: 1 } } }])
    const other = await get({ query, operationName: 'b' })
    assert.deepEqual(other.body, { data: { artist_by_pk: { id: 2 } } })
    const wrong = await get({ query, operationName: 'a', variables: '{' })
    assert.deepEqual([wrong.status, wrong.body.errors[0].extensions.code], [200, 'parse-failed'])
  })

  test('GET on /v1/graphql executes no mutation', async () => {
    const query = 'mutation { delete_artist(where: {}) { affected_rows } }'
    const { status, body } = await engine.get(`/v1/graphql?${new URLSearchParams({ query })}`)
    assert.deepEqual([status, body.errors[0].extensions.code], [405, 'method-not-allowed'])
    const left = await engine.post('/v1/graphql', { query: '{ artist_aggregate { aggregate { count } } }' })
    assert.equal(left.body.data.artist_aggregate.aggregate.count, 2000)
  })

  test('a persisted query is executed where its text comes along, else asked for', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'x' } }
    const hash = await engine.post('/v1/graphql', { extensions })
    assert.equal(hash.body.errors[0].message, 'PersistedQueryNotSupported')
    const query = '{ artist_by_pk(id: 1) { id } }'
    assert.deepEqual((await engine.post('/v1/graphql', { query, extensions })).body, {
      data: { artist_by_pk: { id: 1 } },
    })
    const { status, body } = await engine.get(`/v1/graphql?extensions=${JSON.stringify(extensions)}`)
    assert.deepEqual([status, body.errors[0].message], [200, 'PersistedQueryNotSupported'])
  })

  test('an unknown path, method or disabled API is the same 404', async () => {
    const cases = [
      ['GET', '/nothing'],
      ['POST', '/nothing'],
      ['PUT', '/v1/metadata'],
      ['DELETE', '/v1/graphql'],
      ['POST', '/'],
      ['GET', '/console'],
      ['OPTIONS', '/v1/metadata'],
      ['GET', '/v1/metrics'],
    ] as const
    for (const [method, path] of cases) {
      const { status, text } = await engine.send(method, path, null)
      assert.equal(status, 404, `${method} ${path}`)
      assert.equal(text, '{"error":"resource does not exist","path":"$","code":"not-found"}')
    }
  })

  test('what is asked before what: authentication, then JSON, then role, then shape', async () => {
    const role = { 'x-svc-role': 'user' }
    const secret = { 'x-svc-admin-secret': null }
    assert.deepEqual(apiError(await engine.send('POST', '/v1/metadata', '{', secret)), [401, 'access-denied', '$'])
    assert.deepEqual(apiError(await engine.send('POST', '/v1/metadata', '{', role)), [400, 'invalid-json', '$'])
    assert.deepEqual(apiError(await engine.send('POST', '/v1/metadata', '{}', role)), [400, 'access-denied', '$.args'])
    assert.deepEqual(apiError(await engine.send('POST', '/v1/metadata', '{}')), [400, 'parse-failed', '$'])
    assert.deepEqual(apiError(await engine.metadata('export_metadata', {})).slice(0, 1), [200])
    const denied = await engine.send('POST', '/v1/metadata', '{"type":"export_metadata","args":{}}', role)
    assert.equal(denied.text, '{"error":"restricted access : admin only","path":"$.args","code":"access-denied"}')
    assert.equal(denied.status, 400)
  })

  test('explain and config are for the admin', async () => {
    const role = { 'x-svc-role': 'user' }
    const query = { query: '{ artist { id } }' }
    const explained = await engine.post('/v1/graphql/explain', query)
    assert.equal(explained.body[0].field, 'artist')
    assert.match(explained.body[0].sql, /artist/)
    for (const answer of [
      await engine.post('/v1/graphql/explain', query, role),
      await engine.get('/v1alpha1/config', role),
    ])
      assert.deepEqual(apiError(answer), [400, 'access-denied', '$'])
    const config = await engine.get('/v1alpha1/config')
    assert.deepEqual(
      [config.body.is_admin_secret_set, config.body.jwt, config.body.live_queries.refetch_delay],
      [true, null, 1],
    )
  })

  test('internals of an error are shown to the admin and to no other role', async () => {
    const body = '{"query":"{ artist }", "x": "\\ud83d'
    const internal = async (headers: Record<string, string | null>) =>
      'internal' in (await engine.send('POST', '/v1/metadata', body, headers)).body
    assert.equal(await internal({}), true)
    assert.equal(await internal({ 'x-svc-role': 'user' }), false)
    assert.equal(await internal({ 'x-svc-admin-secret': 'wrong' }), false)
  })

  test('every answer carries a request id: the one given, or a new one', async () => {
    for (const path of ['/healthz', '/nothing', '/v1/version'])
      assert.match(String((await engine.get(path)).headers['x-request-id']), uuid)
    assert.equal((await engine.get('/nothing', { 'x-request-id': 'mine' })).headers['x-request-id'], 'mine')
  })

  test('answers of /v1/metadata name catalogue and version, errors too, but not to clients that are refused', async () => {
    const good = await engine.metadata('export_metadata', {})
    const bad = await engine.metadata('pg_track_table', {})
    assert.match(String(good.headers['x-svc-catalog-id']), uuid)
    assert.equal(bad.status, 400)
    assert.deepEqual(bad.headers['x-svc-resource-version'], good.headers['x-svc-resource-version'])
    const refused = await engine.send('POST', '/v1/metadata', '{}', { 'x-svc-admin-secret': 'wrong' })
    assert.equal(refused.headers['x-svc-catalog-id'], undefined)
  })

  test('gzip is used where it is asked for and worth it, never for errors', async () => {
    const encoding = async (query: string, accept: string | null) =>
      (await engine.post('/v1/graphql', { query }, { 'accept-encoding': accept })).headers['content-encoding']
    const big = '{ artist { id name } }'
    const small = '{ artist(limit: 1) { id } }'
    assert.equal(await encoding(big, 'gzip'), 'gzip')
    assert.equal(await encoding(big, 'br, GZIP;q=0.5'), 'gzip')
    for (const accept of [null, '*', 'gzip;q=0', 'br', 'identity']) assert.equal(await encoding(big, accept), undefined)
    assert.equal(await encoding(small, 'gzip'), undefined)
    assert.equal(await encoding(small, 'gzip, identity;q=0'), 'gzip')
    assert.equal(await encoding(small, 'gzip, *;q=0'), 'gzip')
    assert.equal(await encoding(`{ ${'x'.repeat(1000)} }`, 'gzip'), undefined)
  })

  test('a compressed answer is the answer', async () => {
    const response = await fetch(`${engine.url}/v1/graphql`, {
      method: 'POST',
      headers: { 'x-svc-admin-secret': engine.secret, 'accept-encoding': 'gzip', 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ artist { id name } }' }),
    })
    assert.equal(response.headers.get('content-encoding'), 'gzip')
    const { data } = (await response.json()) as { data: { artist: unknown[] } }
    assert.equal(data.artist.length, 2000)
  })

  test('a body that is compressed, or says so, is refused', async () => {
    for (const [encoding, body] of [
      ['gzip', gzipSync('{"query":"{ artist { id } }"}')],
      ['br', Buffer.from('{"query":"{ artist { id } }"}')],
    ] as const)
      for (const path of ['/v1/graphql', '/v1/metadata']) {
        const { status, text } = await engine.send('POST', path, body, { 'content-encoding': encoding })
        assert.equal(status, 415)
        assert.match(text, /Content-Encoding: (gzip|br) is not understood/)
      }
    const plain = { 'content-encoding': 'Identity' }
    assert.equal((await engine.send('POST', '/v1/graphql', '{"query":"{ __typename }"}', plain)).status, 200)
  })

  test('a target in absolute form is the path in it', async () => {
    const { port, hostname } = new URL(engine.url)
    for (const [target, status] of [
      [`${engine.url}/healthz?strict=true`, 200],
      ['HTTPS://some.host/v1/version', 200],
      ['http://some.host', 404],
    ] as const) {
      const sent = request({ port, host: hostname, path: target })
      sent.end()
      const [response] = await once(sent, 'response')
      response.resume()
      assert.equal(response.statusCode, status, target)
    }
  })

  test('CORS headers answer an origin, and nothing without one', async () => {
    const origin = { origin: 'https://app.example' }
    const plain = await engine.get('/v1/version')
    assert.equal(plain.headers['access-control-allow-origin'], undefined)
    const crossed = await engine.get('/v1/version', origin)
    assert.equal(crossed.headers['access-control-allow-origin'], 'https://app.example')
    assert.equal(crossed.headers['access-control-allow-credentials'], 'true')
    const flight = await engine.send('OPTIONS', '/v1/graphql', null, {
      ...origin,
      'access-control-request-headers': 'x-svc-role',
    })
    assert.deepEqual(
      [
        flight.status,
        flight.headers['access-control-max-age'],
        flight.headers['access-control-allow-headers'],
        flight.text,
      ],
      [204, '1728000', 'x-svc-role', ''],
    )
  })

  test('HEAD is GET without a body', async () => {
    const { status, text, headers } = await engine.send('HEAD', '/healthz', null)
    assert.deepEqual([status, text, headers['content-length']], [200, '', '2'])
  })

  test('a body beyond the bound is refused, whether it says its length or not', async (t) => {
    const bounded = await startEngine({ databaseUrl: database.url, env: { SVC_GRAPHQL_MAX_BODY_SIZE: '2000' } }, t)
    const big = `"${'x'.repeat(3000)}"`
    assert.deepEqual(apiError(await bounded.send('POST', '/v1/metadata', big)), [413, 'bad-request', '$'])
    const chunked = await bounded.send('POST', '/v1/metadata', big, { 'transfer-encoding': 'chunked' })
    assert.deepEqual(apiError(chunked), [413, 'bad-request', '$'])
    assert.equal((await bounded.get('/healthz')).status, 200)
  })

  test('what is no HTTP is refused with one answer, and the engine serves on', async () => {
    const { port, hostname } = new URL(engine.url)
    for (const [bytes, status] of [
      ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
      ['POST /v1/graphql HTTP/1.1\r\nHost: x\r\nContent-Length: nine\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
      [`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Flood: ${'y'.repeat(1_100_000)}\r\n\r\n`, 431],
    ] as const) {
      const socket = connect(Number(port), hostname)
      let said = ''
      socket.on('data', (chunk) => (said += chunk))
      socket.on('error', () => {}) // it may close while we still send, which `once` would throw
      socket.write(bytes)
      await new Promise((resolve) => socket.once('close', resolve))
      if (said !== '') assert.equal(Number(said.split(' ')[1]), status)
    }
    const cutOff = connect(Number(port), hostname)
    cutOff.write('POST /v1/metadata HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"ty')
    cutOff.resume().end()
    await once(cutOff, 'close')
    assert.equal((await engine.get('/healthz')).text, 'OK')
  })

  test('a client that never finishes its headers is answered 408 and disconnected', async (t) => {
    const impatient = await startEngine({ databaseUrl: database.url, env: { SVC_GRAPHQL_SERVER_TIMEOUT: '1' } }, t)
    const { port, hostname } = new URL(impatient.url)
    const socket = connect(Number(port), hostname)
    let said = ''
    socket.on('data', (chunk) => (said += chunk))
    socket.write('POST /v1/metadata HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    await once(socket, 'close')
    assert.match(said, /^HTTP\/1\.1 408 /)
    assert.equal((await impatient.observed('connection-refused')).status, 408)
    assert.equal((await impatient.get('/healthz')).text, 'OK')
  })

  test('a client that reads nothing of a large answer is disconnected, one that reads it slowly receives all of it', async (t) => {
    const timeout = 2000
    const env = { SVC_GRAPHQL_SERVER_TIMEOUT: String(timeout / 1000) }
    const impatient = await startEngine({ databaseUrl: database.url, env }, t)
    const query = `{ ${Array.from({ length: 120 }, (_, i) => `a${i}: artist { id name }`).join(' ')} }`
    const ask = async () => {
      const headers = { 'content-type': 'application/json', 'x-svc-admin-secret': impatient.secret }
      const sent = request(`${impatient.url}/v1/graphql`, { method: 'POST', headers })
      sent.on('error', () => {})
      sent.end(JSON.stringify({ query }))
      const [response] = await once(sent, 'response')
      return { sent, response, length: Number(response.headers['content-length']) }
    }
    const idle = await ask()
    assert.equal((await impatient.observed('connection-refused')).reason, 'the client does not take its answer')
    idle.sent.destroy()
    /** How much is left when all is over, and the longest time for which this process took nothing. */
    const takeSlowly = async () => {
      const slow = await ask()
      let left = slow.length
      const started = performance.now()
      let last = started
      let longest = 0
      try {
        for await (const part of slow.response) {
          left -= part.length
          // as much as is there lies in buffers between the two: the rest comes while this waits
          const share = (1 - left / slow.length) * 1.5 * timeout
          do {
            await new Promise((resolve) => setTimeout(resolve, 5))
            longest = Math.max(longest, performance.now() - last)
            last = performance.now()
          } while (last - started < share)
        }
      } catch {
        // it was disconnected
      }
      return { left, longest: Math.max(longest, performance.now() - last) }
    }
    let taken = await takeSlowly()
    // a busy machine may stop this process for so long that the engine rightly lets it go
    for (let i = 0; taken.left > 0 && taken.longest > timeout / 4 && i < 20; i++) taken = await takeSlowly()
    assert.equal(taken.left, 0)
    assert.equal((await impatient.get('/healthz')).text, 'OK')
  })

  test('a request is logged with what contract and operator want to know, without its body', async () => {
    const id = 'log-me'
    await engine.send('POST', '/v1/metadata', '{"type":"nothing_of_ours","args":{"password":"geheim"}}', {
      'x-request-id': id,
      'x-real-ip': '10.0.0.9',
    })
    await engine.observed('request-answered', ({ requestId }) => requestId === id)
    const lines = engine.log.map((line) => JSON.parse(line))
    const line = lines.find(({ type, detail }) => type === 'http-log' && detail.request_id === id)
    assert.equal(line.level, 'error')
    const { http_info: info, operation } = line.detail
    assert.deepEqual(info, {
      status: 400,
      method: 'POST',
      ip: '10.0.0.9',
      url: '/v1/metadata',
      http_version: 'HTTP/1.1',
      content_encoding: null,
    })
    assert.deepEqual(
      [operation.query, operation.request_mode, operation.error.code],
      [{ type: 'nothing_of_ours' }, 'error', 'parse-failed'],
    )
    assert.ok(!engine.log.some((text) => text.includes('geheim')))
    assert.ok(!engine.log.some((text) => text.includes(engine.secret)))
    assert.ok(!engine.log.some((text) => text.includes(new URL(database.url).password)))
  })

  test('with query-log on, statements and bodies are logged; secrets of metadata requests only when that is wished', async (t) => {
    const env = { SVC_GRAPHQL_ENABLED_LOG_TYPES: 'http-log,query-log' }
    const talkative = await startEngine({ databaseUrl: database.url, env }, t)
    const query = { query: 'query Named { a: artist(limit: 1) { id } }' }
    await talkative.post('/v1/graphql', query, { 'x-request-id': 'q' })
    await talkative.metadata('export_metadata', { password: 'geheim' })
    await talkative.observed('request-answered', ({ operation }) => operation === 'export_metadata')
    const lines = talkative.log.map((line) => JSON.parse(line))
    const logged = lines.find(({ type }) => type === 'query-log').detail
    assert.deepEqual([logged.request_id, logged.kind, logged.query], ['q', 'database', query])
    assert.match(logged.generated_sql.a.query, /"artist"/)
    const answered = lines.find(({ type, detail }) => type === 'http-log' && detail.request_id === 'q')
    assert.deepEqual(answered.detail.operation.query, query)
    assert.ok(!talkative.log.some((line) => line.includes('geheim')))
  })
})

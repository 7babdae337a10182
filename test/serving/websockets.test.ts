/**
 * GraphQL over websockets (reference/websockets), through the real process: messages, close codes and orders of both
 * protocols.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createClient } from 'graphql-ws'
import pg from 'pg'
import { SubscriptionClient } from 'subscriptions-transport-ws'
import { WebSocket } from 'ws'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { isKeepAlive, openSocket } from '../websocket-client.ts'

const protocols = ['graphql-ws', 'graphql-transport-ws'] as const

describe('websockets', () => {
  let database: TestDatabase
  let engine: Engine
  let secret: Readonly<Record<string, string>>
  before(async () => {
    database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`CREATE TABLE artist (id integer PRIMARY KEY, name text NOT NULL, fans bigint);
      INSERT INTO artist SELECT n, 'artist ' || n, 9007199254740993 FROM generate_series(1, 20) n`)
    await client.end()
    engine = await startEngine({
      databaseUrl: database.url,
      env: {
        SVC_GRAPHQL_WEBSOCKET_KEEPALIVE: '1',
        SVC_GRAPHQL_CORS_DOMAIN: 'https://good.example',
        SVC_GRAPHQL_WEBSOCKET_CONNECTION_INIT_TIMEOUT: '1',
      },
    })
    secret = { 'x-svc-admin-secret': engine.secret }
    const table = { schema: 'public', name: 'artist' }
    assert.equal((await engine.metadata('pg_track_table', { table })).status, 200)
    const permission = { columns: ['id', 'name'], filter: { id: { _eq: 'X-Svc-User-Id' } } }
    await engine.metadata('pg_create_select_permission', { table, role: 'user', permission })
  })
  after(async () => {
    await engine.stop()
    await database.drop()
  })

  const query = '{ artist(limit: 1, order_by: {id: asc}) { id } }'
  const wsUrl = () => engine.url.replace(/^http/, 'ws')

  test('the client of graphql-ws gets answers of its role', async () => {
    const client = createClient({
      url: `${wsUrl()}/v1/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { headers: { ...secret, 'X-Svc-Role': 'user', 'X-Svc-User-Id': '7' } },
    })
    const results = []
    for await (const result of client.iterate({ query: '{ artist { id name } }' })) results.push(result)
    assert.deepEqual(results, [{ data: { artist: [{ id: 7, name: 'artist 7' }] } }])
    await client.dispose()
  })

  test('the client of subscriptions-transport-ws gets answers of its role', async () => {
    const connectionParams = { headers: { ...secret, 'X-Svc-Role': 'user', 'X-Svc-User-Id': '8' } }
    const client = new SubscriptionClient(`${wsUrl()}/v1/graphql`, { connectionParams }, WebSocket)
    const result = await new Promise((resolve, reject) =>
      client.request({ query: '{ artist { id } }' }).subscribe({ next: resolve, error: reject }),
    )
    assert.deepEqual(result, { data: { artist: [{ id: 8 }] } })
    client.close()
  })

  test('keep-alives frame the ack: one after the handshake, one after the ack, then one each interval', async () => {
    for (const [protocol, keepAlive] of [
      ['graphql-ws', 'ka'],
      ['graphql-transport-ws', 'ping'],
    ] as const) {
      const socket = await openSocket(engine, { protocol })
      socket.send({ type: 'connection_init', payload: { headers: secret } })
      while (socket.all.length < 4) await once(socket.socket, 'message')
      assert.deepEqual(
        socket.all.map(({ type }) => type),
        [keepAlive, 'connection_ack', keepAlive, keepAlive],
      )
      assert.ok(socket.all.filter(({ type }) => type !== 'connection_ack').every(isKeepAlive))
      socket.close()
    }
  })

  test('a query is answered by one result and complete', async () => {
    for (const [protocol, start, result] of [
      ['graphql-ws', 'start', 'data'],
      ['graphql-transport-ws', 'subscribe', 'next'],
      // messages of the other family are understood as well
      ['graphql-transport-ws', 'start', 'next'],
    ]) {
      const socket = await openSocket(engine, { protocol: protocol ?? '', init: secret })
      socket.send({ id: '1', type: start, payload: { query: '{ artist_by_pk(id: 1) { id } }' } })
      const { type, id, payload } = await socket.next()
      assert.deepEqual([type, id, payload.data.artist_by_pk.id], [result, '1', 1])
      assert.deepEqual(await socket.next(), { type: 'complete', id: '1' })
      socket.close()
    }
  })

  test('operations are answered one after another, in the order in which they came', async () => {
    const socket = await openSocket(engine, { protocol: 'graphql-transport-ws', init: secret })
    for (let id = 1; id <= 300; id++)
      socket.send({
        id: String(id),
        type: 'subscribe',
        payload: { query: `{ artist_by_pk(id: ${(id % 20) + 1}) { id } }` },
      })
    for (let id = 1; id <= 300; id++) {
      const next = await socket.next()
      assert.deepEqual([next.id, next.payload.data], [String(id), { artist_by_pk: { id: (id % 20) + 1 } }])
      assert.deepEqual(await socket.next(), { type: 'complete', id: String(id) })
    }
    socket.close()
  })

  test('an operation that is not valid is refused in the shape of its protocol and endpoint', async () => {
    const error = { path: '$.selectionSet.nothing', code: 'validation-failed' }
    const message = "field 'nothing' not found in type: 'query_root'"
    const cases = [
      ['graphql-ws', '/v1/graphql', { errors: [{ message, extensions: error }] }],
      ['graphql-ws', '/v1alpha1/graphql', { error: message, ...error }],
      ['graphql-transport-ws', '/v1/graphql', [{ message, extensions: error }]],
    ] as const
    for (const [protocol, path, payload] of cases) {
      const socket = await openSocket(engine, { protocol, path, init: secret })
      socket.send({ id: 'a', type: 'start', payload: { query: '{ nothing }' } })
      assert.deepEqual(await socket.next(), { type: 'error', id: 'a', payload })
      assert.deepEqual(await socket.next(), { type: 'complete', id: 'a' })
      socket.close()
    }
  })

  test('an operation that fails while it runs: data for the older protocol, error for the newer', async () => {
    await engine.post('/v1/query', {
      type: 'run_sql',
      args: {
        sql: `CREATE VIEW broken AS SELECT 1 / (id - id) AS x FROM artist`,
      },
    })
    assert.equal(
      (await engine.post('/v1/query', { type: 'track_table', args: { name: 'broken', schema: 'public' } })).status,
      200,
    )
    for (const protocol of protocols) {
      const socket = await openSocket(engine, { protocol, init: secret })
      socket.send({ id: 'a', type: 'start', payload: { query: '{ broken { x } }' } })
      const { type, payload } = await socket.next()
      const errors = protocol === 'graphql-ws' ? payload.errors : payload
      assert.equal(type, protocol === 'graphql-ws' ? 'data' : 'error')
      if (protocol === 'graphql-ws') assert.equal(payload.data, null)
      assert.equal(errors[0].extensions.code, 'data-exception')
      assert.equal('internal' in errors[0].extensions, false)
      assert.deepEqual(await socket.next(), { type: 'complete', id: 'a' })
      socket.close()
    }
  })

  test('the sub-protocol is the first supported one that is offered, echoed only then; without one the older is spoken', async () => {
    for (const [offered, agreed, keepAlive] of [
      [[], '', 'ka'],
      [['graphql-ws'], 'graphql-ws', 'ka'],
      [['graphql-transport-ws', 'graphql-ws'], 'graphql-transport-ws', 'ping'],
      [['mqtt', 'graphql-ws', 'graphql-transport-ws'], 'graphql-ws', 'ka'],
    ] as const) {
      const socket = await openSocket(engine, { protocol: [...offered] })
      if (socket.all.length === 0) await once(socket.socket, 'message')
      assert.deepEqual([socket.socket.protocol, socket.all[0].type], [agreed, keepAlive])
      socket.close()
    }
  })

  test('a failed authentication closes: 4400 after connection_error, or 4403', async () => {
    const message = 'invalid "x-svc-admin-secret"/"x-svc-access-key"'
    const legacy = await openSocket(engine, { protocol: 'graphql-ws' })
    legacy.send({ type: 'connection_init', payload: { headers: { 'x-svc-admin-secret': 'wrong' } } })
    assert.deepEqual(await legacy.next(), { type: 'connection_error', payload: message })
    assert.deepEqual(await legacy.closed, {
      code: 4400,
      reason: JSON.stringify({ server_error_msg: `4400: Connection initialization failed: ${message}` }),
    })
    const transport = await openSocket(engine, { protocol: 'graphql-transport-ws' })
    transport.send({ type: 'connection_init', payload: { headers: { 'x-svc-admin-secret': 'wrong' } } })
    assert.deepEqual(await transport.closed, { code: 4403, reason: '{"server_error_msg":"4403: Forbidden"}' })
  })

  test('headers of the upgrade request authenticate as well, those of connection_init first', async () => {
    const headers = { ...secret, 'x-svc-role': 'user', 'x-svc-user-id': '3' }
    const socket = await openSocket(engine, { headers, init: { 'X-Svc-User-Id': '4' } })
    socket.send({ id: '1', type: 'start', payload: { query: '{ artist { id } }' } })
    assert.deepEqual((await socket.next()).payload.data, { artist: [{ id: 4 }] })
    socket.close()
  })

  test('a further connection_init authenticates again', async () => {
    const socket = await openSocket(engine, { init: secret })
    socket.send({
      type: 'connection_init',
      payload: { headers: { ...secret, 'x-svc-role': 'user', 'x-svc-user-id': '5' } },
    })
    assert.equal((await socket.next()).type, 'connection_ack')
    socket.send({ id: '1', type: 'start', payload: { query: '{ artist { id } }' } })
    assert.deepEqual((await socket.next()).payload.data, { artist: [{ id: 5 }] })
    socket.close()
  })

  test('without connection_init in time it closes', async () => {
    for (const [protocol, code] of [
      ['graphql-ws', 1011],
      ['graphql-transport-ws', 4408],
    ] as const) {
      const socket = await openSocket(engine, { protocol })
      assert.deepEqual(await socket.closed, { code, reason: 'Connection initialisation timed out' })
    }
  })

  test('what is no message is refused: connection_error, or 4400', async () => {
    for (const text of [
      'not JSON',
      '[]',
      '{"type":"dance"}',
      '{"type":"start","payload":{}}',
      '{"type":"connection_init","payload":{"headers":{"a":1}}}',
      '{"type":"connection_init","payload":{"headers":{"a\\r\\nb":"1"}}}',
    ]) {
      const legacy = await openSocket(engine, { protocol: 'graphql-ws' })
      legacy.send(text)
      const { type, payload } = await legacy.next()
      assert.equal(type, 'connection_error')
      assert.match(payload, /^parsing ClientMessage failed: /)
      legacy.send({ type: 'connection_init', payload: { headers: secret } })
      assert.equal((await legacy.next()).type, 'connection_ack')
      legacy.close()
      const transport = await openSocket(engine, { protocol: 'graphql-transport-ws' })
      transport.send(text)
      const { code, reason } = await transport.closed
      assert.equal(code, 4400)
      assert.match(reason, /4400: Parsing client message failed: /)
    }
  })

  test('an operation before connection_init is refused: error and complete, or 4400', async () => {
    const message = 'start received before the connection is initialised'
    const legacy = await openSocket(engine, { protocol: 'graphql-ws' })
    legacy.send({ id: '1', type: 'start', payload: { query } })
    const errors = [{ message, extensions: { path: '$', code: 'start-failed' } }]
    assert.deepEqual(await legacy.next(), { type: 'error', id: '1', payload: { errors } })
    assert.deepEqual(await legacy.next(), { type: 'complete', id: '1' })
    legacy.close()
    const transport = await openSocket(engine, { protocol: 'graphql-transport-ws' })
    transport.send({ id: '1', type: 'subscribe', payload: { query } })
    assert.deepEqual(await transport.next(), { type: 'error', id: '1', payload: message })
    assert.deepEqual(await transport.closed, {
      code: 4400,
      reason: JSON.stringify({ server_error_msg: `4400: ${message}` }),
    })
  })

  test('ping is answered by pong with the same payload; connection_terminate closes', async () => {
    const socket = await openSocket(engine, { protocol: 'graphql-transport-ws', init: secret })
    socket.send({ type: 'ping', payload: { message: 'hello' } })
    assert.deepEqual(await socket.next(), { type: 'pong', payload: { message: 'hello' } })
    socket.send({ type: 'stop', id: 'nobody' })
    socket.send({ type: 'ping' })
    assert.deepEqual(await socket.next(), { type: 'pong' })
    socket.send({ type: 'connection_terminate' })
    assert.deepEqual(await socket.closed, { code: 1000, reason: 'GQL_CONNECTION_TERMINATE received' })
  })

  /** The answer to an upgrade that is refused. */
  async function refused(path: string, headers: Readonly<Record<string, string>> = {}) {
    const socket = new WebSocket(`${wsUrl()}${path}`, { headers })
    socket.on('error', () => {})
    const [, response] = await once(socket, 'unexpected-response')
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) }
  }

  test('other paths and other origins are refused', async () => {
    assert.deepEqual(await refused('/v1/other'), {
      status: 404,
      body: {
        message: "only '/v1/graphql', '/v1alpha1/graphql' and '/v1beta1/relay' are supported on websockets",
        extensions: { path: '$', code: 'not-found' },
      },
    })
    assert.deepEqual(await refused('/v1/graphql', { origin: 'https://bad.example' }), {
      status: 400,
      body: {
        message: 'received origin header does not match configured CORS domains',
        extensions: { path: '$', code: 'access-denied' },
      },
    })
    const socket = await openSocket(engine, {
      headers: { origin: 'https://good.example' },
      path: '/v1/graphql?a=b',
      init: secret,
    })
    socket.close()
  })

  test('an upgrade behind requests on the same connection is accepted; one to another protocol is not taken up', async () => {
    const body = JSON.stringify({ query })
    const socket = connect(Number(new URL(engine.url).port), '127.0.0.1')
    socket.write(
      `POST /v1/graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Svc-Admin-Secret: ${engine.secret}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 200/)
    socket.write(
      'GET /v1/graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 101/)
    socket.destroy()
    const h2c = request(`${engine.url}/healthz`, {
      headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' },
    })
    h2c.end()
    const [response] = await once(h2c, 'response')
    assert.equal(response.statusCode, 200)
    response.resume()
  })

  test('accepted, operations and closed are logged without secrets', async () => {
    const socket = await openSocket(engine, { init: secret })
    socket.send({ id: 'op', type: 'start', payload: { query: `query Named ${query}`, operationName: 'Named' } })
    await socket.next()
    socket.socket.close(4999)
    await socket.closed
    const closed = await engine.observed('websocket', ({ event }) => event.kind === 'closed' && event.code === 4999)
    const lines = engine.log
      .map((line) => JSON.parse(line))
      .filter(
        ({ type, detail }) => type === 'websocket-log' && detail.connection_info.websocket_id === closed.websocketId,
      )
    assert.deepEqual(
      lines.map(({ detail: { event } }) => event.detail?.operation_type?.type ?? event.type),
      ['accepted', 'started', 'completed', 'closed'],
    )
    assert.equal(lines[1].detail.event.detail.operation_name, 'Named')
    assert.equal(lines[1].detail.user_vars['x-svc-role'], 'admin')
    assert.ok(!engine.log.some((line) => line.includes('test-secret')))
  })

  test('a change over /v1/metadata closes every socket with 1012, one over /v2/query none', async () => {
    const sockets = await Promise.all(protocols.map((protocol) => openSocket(engine, { protocol, init: secret })))
    await engine.metadata('export_metadata', {})
    const [first] = sockets
    await engine.post('/v2/query', { type: 'run_sql', args: { sql: 'CREATE TABLE other (id integer)' } })
    first?.send({ id: '1', type: 'start', payload: { query } })
    assert.equal((await first?.next())?.type, 'data')
    await engine.metadata('reload_metadata', {})
    for (const { closed } of sockets)
      assert.deepEqual(await closed, { code: 1012, reason: 'Server state changed, restarting the server' })
  })
})

test('a shutdown lets what runs end, then closes with 1012; upgrades are refused meanwhile', async () => {
  const engine = await startEngine()
  const secret = { 'x-svc-admin-secret': engine.secret }
  await engine.post('/v1/query', {
    type: 'bulk',
    args: [
      { type: 'run_sql', args: { sql: 'CREATE VIEW slow AS SELECT pg_sleep(0.5)::text AS x' } },
      { type: 'track_table', args: { schema: 'public', name: 'slow' } },
    ],
  })
  const idle = await openSocket(engine, { init: secret })
  const busy = await openSocket(engine, { protocol: 'graphql-transport-ws', init: secret })
  busy.send({ id: '1', type: 'subscribe', payload: { query: '{ slow { x } }' } })
  await engine.observed('websocket', ({ event }) => event.kind === 'operation' && event.type === 'started')
  const stopped = engine.stop()
  const closing = { code: 1012, reason: 'shutting server down' }
  assert.deepEqual(await idle.closed, closing)
  assert.deepEqual((await busy.next()).payload, { data: { slow: [{ x: '' }] } })
  assert.deepEqual(await busy.closed, closing)
  await stopped
})

test('a socket ends with the first of its sessions, without a close frame, whatever another connection_init says', async () => {
  const key = 'a key of at least thirty-two characters'
  const engine = await startEngine({ env: { SVC_GRAPHQL_JWT_SECRET: JSON.stringify({ type: 'HS256', key }) } })
  const token = (seconds: number) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = { 'x-svc-allowed-roles': ['user'], 'x-svc-default-role': 'user' }
    const exp = Math.floor(Date.now() / 1000) + seconds
    const signed = `${part({ alg: 'HS256' })}.${part({ exp, 'https://svc.io/jwt/claims': claims })}`
    return { authorization: `Bearer ${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}` }
  }
  const closed = { code: 1006, reason: '' }
  const short = await openSocket(engine, { init: token(2) })
  const renewed = await openSocket(engine, { init: token(2) })
  renewed.send({ type: 'connection_init', payload: { headers: token(1000) } })
  assert.equal((await renewed.next()).type, 'connection_ack')
  renewed.send({ id: '1', type: 'start', payload: { query: '{ __typename }' } })
  assert.deepEqual((await renewed.next()).payload, { data: { __typename: 'query_root' } })
  assert.deepEqual(await short.closed, closed)
  assert.deepEqual(await renewed.closed, closed)
  await engine.stop()
})

/**
 * Attacks over websockets: clients without a session, clients that request everything at once, or that read nothing.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { openSocket, type TestSocket } from '../websocket-client.ts'

const protocols = ['graphql-ws', 'graphql-transport-ws'] as const

describe('attacks over websockets', () => {
  let database: TestDatabase
  let engine: Engine
  let init: Readonly<Record<string, string>>
  before(async () => {
    database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`CREATE TABLE note (id integer PRIMARY KEY, body text);
      INSERT INTO note SELECT n, repeat('x', 1000) FROM generate_series(1, 3000) n`)
    await client.end()
    engine = await startEngine({
      databaseUrl: database.url,
      env: {
        SVC_GRAPHQL_WEBSOCKET_CONNECTION_INIT_TIMEOUT: '1',
        SVC_GRAPHQL_WEBSOCKET_MAX_CONNECTIONS: '40',
        SVC_GRAPHQL_WEBSOCKET_MAX_CONNECTIONS_PER_ADDRESS: '30',
        SVC_GRAPHQL_WEBSOCKET_MAX_SUBSCRIPTIONS: '200',
        SVC_GRAPHQL_WEBSOCKET_MAX_UNSENT_SIZE: '20000000',
        SVC_GRAPHQL_CONNECTION_COMPRESSION: 'true',
      },
    })
    init = { 'x-svc-admin-secret': engine.secret }
    await engine.metadata('pg_track_table', { table: 'note' })
  })
  after(async () => {
    await engine.stop()
    await database.drop()
  })

  const errorLogged = (message: string) =>
    engine.observed('websocket', ({ event }) => event.kind === 'error' && event.message === message)

  /** A bare connection after its handshake, and whatever the engine sends over it. */
  const upgraded = async (headers = ''): Promise<{ readonly socket: Socket; readonly ended: Promise<unknown> }> => {
    const socket = connect(Number(new URL(engine.url).port), '127.0.0.1')
    socket.on('error', () => {})
    const ended = new Promise((resolve) => socket.once('close', resolve))
    socket.write(
      `GET /v1/graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    )
    await once(socket, 'data')
    return { socket, ended }
  }

  /** The head of a masked frame of text, its mask all zeros. */
  const frameHead = (length: number, compressed = false): Buffer => {
    const head = Buffer.alloc(14)
    head[0] = compressed ? 0xc1 : 0x81
    head[1] = 0x80 | 127
    head.writeBigUInt64BE(BigInt(length), 2)
    return head
  }

  test('a frame of 200 MB before connection_init ends the connection after 64 kB', async () => {
    const { socket, ended } = await upgraded()
    const sent = socket.bytesWritten
    socket.write(frameHead(200_000_000))
    const piece = Buffer.alloc(16_384, 0x20)
    let isOpen = true
    void ended.then(() => {
      isOpen = false
    })
    // so much that the buffers of both systems hold no more of it
    for (let i = 0; i < 10_000 && isOpen; i++)
      await new Promise<void>((resolve) => socket.write(piece, () => setImmediate(resolve)))
    await ended
    assert.ok(socket.bytesWritten - sent < 50_000_000, `${socket.bytesWritten - sent} bytes were taken`)
    await errorLogged('the client sends too much before it is authenticated: disconnected')
  })

  test('many small messages before connection_init count together', async () => {
    const socket = await openSocket(engine)
    socket.socket.on('error', () => {})
    for (let i = 0; i < 10; i++) socket.send({ type: 'ping', payload: randomBytes(10_000).toString('base64') })
    assert.equal((await socket.closed).code, 1006)
  })

  test('compressed messages before connection_init are bounded as well', async () => {
    const { socket, ended } = await upgraded('Sec-WebSocket-Extensions: permessage-deflate\r\n')
    const bomb = deflateRawSync(Buffer.alloc(50_000_000, 0x20))
    socket.write(Buffer.concat([frameHead(bomb.length, true), bomb]))
    await ended
  })

  test('an acknowledged client sends what the bounds of requests allow', async () => {
    const socket = await openSocket(engine, { init })
    const query = `{ __typename } #${'x'.repeat(300_000)}`
    socket.send({ type: 'start', id: '1', payload: { query } })
    assert.deepEqual((await socket.next()).payload, { data: { __typename: 'query_root' } })
    socket.close()
    await socket.closed
  })

  test('what follows connection_init in the same write waits for the acknowledgement, however long it is', async () => {
    const socket = await openSocket(engine, { protocol: 'graphql-ws' })
    socket.send({ type: 'connection_init', payload: { headers: init } })
    for (let id = 0; id < 40; id++)
      socket.send({ type: 'start', id: `${id}`, payload: { query: `{ __typename } #${'x'.repeat(5_000)}` } })
    const answered: string[] = []
    while (answered.length < 40) {
      const { type, id } = await socket.next()
      if (type === 'complete') answered.push(id)
    }
    assert.deepEqual(
      answered,
      Array.from({ length: 40 }, (_, id) => `${id}`),
    )
    socket.close()
    await socket.closed
  })

  test('a client that is not authenticated in time is cut off, though it answers no close frame and sends on', async () => {
    const { socket, ended } = await upgraded()
    const received: Buffer[] = []
    socket.on('data', (bytes) => received.push(bytes))
    socket.write(frameHead(1_000_000))
    // far less than the bound, so that only the time ends it
    const sending = setInterval(() => socket.write('x'), 20)
    await ended
    clearInterval(sending)
    assert.match(Buffer.concat(received).toString('latin1'), /Connection initialisation timed out/)
  })

  test('nothing begins after a failed connection_init, another one included', async () => {
    for (const protocol of protocols) {
      const socket = await openSocket(engine, { protocol })
      socket.send({ type: 'connection_init', payload: { headers: { 'x-svc-admin-secret': 'wrong' } } })
      socket.send({ type: 'connection_init', payload: { headers: init } })
      socket.send({ type: 'start', id: '1', payload: { query: '{ __typename }' } })
      const { code } = await socket.closed
      assert.equal(code, protocol === 'graphql-ws' ? 4400 : 4403)
      assert.deepEqual(
        socket.all.filter(({ type }) => !['ka', 'ping', 'connection_error'].includes(type)),
        [],
      )
    }
  })

  test('a second connection_init ends a socket of the newer protocol', async () => {
    const socket = await openSocket(engine, { protocol: 'graphql-transport-ws', init })
    socket.send({ type: 'connection_init', payload: { headers: init } })
    const reason = '{"server_error_msg":"4429: Too many initialisation requests"}'
    assert.deepEqual(await socket.closed, { code: 4429, reason })
  })

  test('sockets are bounded by address and in all while they are open', async () => {
    const open: TestSocket[] = []
    const openFrom = (address: string) => openSocket(engine, { headers: { 'x-forwarded-for': address } })
    for (let i = 0; i < 30; i++) open.push(await openFrom('192.0.2.1'))
    await assert.rejects(openFrom('192.0.2.1'), /Unexpected server response: 429/)
    for (let i = 0; i < 10; i++) open.push(await openFrom('192.0.2.2'))
    await assert.rejects(openFrom('192.0.2.2'), /Unexpected server response: 503/)
    for (const socket of open) socket.socket.terminate()
    let again: TestSocket | null = null
    while (!again) again = await openFrom('192.0.2.1').catch(() => null)
    again.close()
    await again.closed
  })

  test('a burst of subscriptions lets other requests in between, and those beyond the bound are refused', async () => {
    const socket = await openSocket(engine, { protocol: 'graphql-transport-ws', init })
    const frames = Array.from({ length: 1000 }, (_, id) =>
      JSON.stringify({
        type: 'subscribe',
        id: `${id}`,
        payload: { query: `subscription { note(where: {id: {_eq: ${id + 1}}}) { id field${id}: body } }` },
      }),
    )
    let [answered, refused] = [0, 0]
    const settled = new Promise<void>((resolve) =>
      socket.socket.on('message', (data) => {
        const { type, payload } = JSON.parse(String(data))
        if (type === 'next') answered += 1
        if (type === 'error') {
          refused += 1
          assert.match(payload[0].message, /a websocket may have 200 subscriptions at most/)
        }
        if (answered + refused === 1000) resolve()
      }),
    )
    for (const frame of frames) socket.send(frame)
    // what arrives behind the burst is answered before all of it is
    const { body } = await engine.post('/v1/graphql', { query: '{ __typename }' })
    assert.ok(body.data && answered + refused < 1000, `${answered + refused} were answered before`)
    await settled
    assert.deepEqual([answered, refused], [200, 800])
    socket.send({ type: 'complete', id: '0' })
    socket.send({ type: 'subscribe', id: 'one more', payload: { query: 'subscription { note(limit: 1) { id } }' } })
    const isAnswer = (message: { id?: string; type: string }) => message.id === 'one more'
    let message = await socket.next()
    while (!isAnswer(message)) message = await socket.next()
    assert.equal(message.type, 'next')
    socket.close()
    await socket.closed
  })

  test('variables of a subscription and messages have their bounds', async () => {
    const socket = await openSocket(engine, { protocol: 'graphql-transport-ws', init })
    const subscribe = (id: string, length: number) => ({
      type: 'subscribe',
      id,
      payload: {
        query: 'subscription ($body: String!) { note(where: { body: { _eq: $body } }) { id } }',
        variables: { body: 'y'.repeat(length) },
      },
    })
    socket.send(subscribe('large', 1_100_000))
    const refused = await socket.next()
    assert.equal(
      refused.payload[0].message,
      'the variables of a subscription may have 1048576 characters (--subscription-max-values-size)',
    )
    socket.send(subscribe('small', 1000))
    let message = refused
    while (message.id !== 'small') message = await socket.next()
    assert.deepEqual(message.payload, { data: { note: [] } })
    socket.send(subscribe('huge', 17_000_000))
    assert.equal((await socket.closed).code, 1009)
  })

  test('a client that sends pings and takes no pong is not read', async () => {
    const { socket, ended } = await upgraded()
    socket.pause()
    const text = (json: string) => Buffer.concat([frameHead(Buffer.byteLength(json)), Buffer.from(json)])
    socket.write(text(JSON.stringify({ type: 'connection_init', payload: { headers: init } })))
    const ping = text(JSON.stringify({ type: 'ping', payload: 'x'.repeat(1_000_000) }))
    let taken = 0
    for (let i = 0; i < 100; i++) socket.write(ping, () => (taken += 1))
    // another client's requests are answered meanwhile, after which the first is still not read
    for (let i = 0; i < 20; i++) await engine.post('/v1/graphql', { query: '{ __typename }' })
    assert.ok(taken < 50, `${taken} MB were taken`)
    socket.destroy()
    await ended
  })

  test('clients that take nothing hold so many bytes in all: those that hold most are disconnected', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const socket = await openSocket(engine, { init })
        socket.socket.on('error', () => {})
        socket.socket.pause()
        socket.send({ type: 'start', id: '1', payload: { query: '{ a: note { id body } b: note { id body } }' } })
        return socket
      }),
    )
    // eight answers of 6 MB
    await errorLogged('too much waits for the clients of all websockets: disconnected')
    for (const { socket } of sockets) socket.terminate()
  })

  test('a ping nested so deeply that it cannot be written is a message that cannot be read', async () => {
    const deep = `{"type":"ping","payload":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
    const legacy = await openSocket(engine, { protocol: 'graphql-ws', init })
    legacy.send(deep)
    assert.match((await legacy.next()).payload, /parsing ClientMessage failed: payload: it has too many levels/)
    legacy.close()
    const transport = await openSocket(engine, { protocol: 'graphql-transport-ws', init })
    transport.send(deep)
    assert.equal((await transport.closed).code, 4400)
  })

  test('a start nested so deeply is answered', async () => {
    const deep = '['.repeat(30_000) + ']'.repeat(30_000)
    const socket = await openSocket(engine, { protocol: 'graphql-ws', init })
    for (const payload of [
      `{"query":${deep}}`,
      `{"query":"query ($a: jsonb) { __typename }","variables":{"a":${deep}}}`,
      `{"query":"query ($a: Int) { note(limit: $a) { id } }","variables":{"a":${deep}}}`,
      `{"query":"{ __typename }","extensions":${deep}}`,
      `{"query":"{ __typename }","operationName":${deep}}`,
    ]) {
      socket.send(`{"type":"start","id":"1","payload":${payload}}`)
      const { type, payload: answer } = await socket.next()
      assert.ok(['data', 'error'].includes(type))
      assert.doesNotMatch(JSON.stringify(answer), /internal error/)
      if (type === 'data') assert.equal((await socket.next()).type, 'complete')
      else assert.equal((await socket.next()).type, 'complete')
    }
    socket.close()
    await socket.closed
    assert.equal(
      engine.log.find((line) => line.includes('unhandled-internal-error')),
      undefined,
    )
  })
})

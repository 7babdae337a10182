import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { openSocket } from '../websocket-client.ts'

const filesOf = ({ pid }: Engine) => readdirSync(`/proc/${pid}/fd`).length
const megabytesOf = ({ pid }: Engine) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

test('messages are compressed where the engine and the client want that', async (t) => {
  const engine = await startEngine({ env: { SVC_GRAPHQL_CONNECTION_COMPRESSION: 'true' } }, t)
  const init = { 'x-svc-admin-secret': engine.secret }
  const socket = await openSocket(engine, { protocol: 'graphql-transport-ws', init })
  assert.match(socket.socket.extensions, /permessage-deflate/)
  const fields = Array.from({ length: 500 }, (_, i) => `field_number_${i}: __typename`)
  socket.send({ id: '1', type: 'subscribe', payload: { query: `{ ${fields.join(' ')} }` } })
  const { payload } = await socket.next()
  assert.equal(Object.keys(payload.data).length, 500)
  socket.close()
})

test('a thousand websockets that come and go leave nothing behind', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const env = { SVC_GRAPHQL_LOG_LEVEL: 'debug', SVC_GRAPHQL_ENABLED_APIS: 'graphql,metadata,metrics,developer' }
  const engine = await startEngine({ env }, t)
  const client = new pg.Client({ connectionString: engine.databaseUrl })
  await client.connect()
  await client.query('CREATE TABLE artist (id integer PRIMARY KEY); INSERT INTO artist VALUES (1)')
  await engine.metadata('pg_track_table', { table: 'artist' })
  const backends = async () => {
    const { rows } = await client.query(
      'SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database()',
    )
    return rows[0].n as number
  }
  const init = { 'x-svc-admin-secret': engine.secret }
  const protocols = ['graphql-ws', 'graphql-transport-ws'] as const
  /** Every third one is cut off, the others close. */
  const comeAndGo = async (i: number) => {
    const protocol = protocols[i % 2] ?? 'graphql-ws'
    const socket = await openSocket(engine, { protocol, init })
    const type = protocol === 'graphql-ws' ? 'start' : 'subscribe'
    socket.send({
      id: '1',
      type,
      payload: { query: `subscription { artist(where: {id: {_lt: ${(i % 7) + 2}}}) { id } }` },
    })
    assert.deepEqual((await socket.next()).payload, { data: { artist: [{ id: 1 }] } })
    if (i % 3 === 0) socket.socket.terminate()
    else socket.close()
    await socket.closed
  }
  const round = async (many: number) => {
    for (let i = 0; i < many; i += 25) await Promise.all(Array.from({ length: 25 }, (_, j) => comeAndGo(i + j)))
    for (;;) {
      const { text } = await engine.get('/v1/metrics')
      if (/^svc_websocket_connections 0$/m.test(text) && /^svc_subscriptions\{of="live"\} 0$/m.test(text)) return
    }
  }
  await round(200)
  const before = { files: filesOf(engine), backends: await backends(), megabytes: megabytesOf(engine) }
  await round(1000)
  const { body } = await engine.get('/dev/subscriptions')
  assert.deepEqual(body.live_queries_map, [])
  assert.ok(filesOf(engine) <= before.files + 5, `${filesOf(engine)} files, ${before.files} before`)
  assert.ok((await backends()) <= before.backends + 5)
  // 1,000 kept sockets would take more than twice that
  assert.ok(megabytesOf(engine) < before.megabytes + 40, `${megabytesOf(engine)} MB, ${before.megabytes} before`)
  await client.end()
})

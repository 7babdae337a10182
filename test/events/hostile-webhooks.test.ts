/** Webhooks that do whatever they like, through the real engine: what other triggers send is delivered meanwhile. */
import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** What a webhook does with a connection that sent it a request; `stop` ends what goes on by itself. */
const hostile: Readonly<Record<string, (socket: Socket, alive: () => boolean) => void>> = {
  silent: () => {},
  'slow-head': (socket, alive) => drip(socket, alive, 'HTTP/1.1 200 OK\r\nx-slow: ', 'a'),
  'slow-body': (socket, alive) => drip(socket, alive, 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', 'a'),
  'endless-chunks': (socket, alive) =>
    drip(socket, alive, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\na\r\n'),
  'endless-informational': (socket, alive) => drip(socket, alive, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'endless-body': (socket, alive) => flood(socket, alive, 'HTTP/1.1 200 OK\r\n\r\n'),
  'huge-headers': (socket, alive) => flood(socket, alive, 'HTTP/1.1 200 OK\r\nx-huge: '),
  rubbish: (socket) => socket.end('?'.repeat(10_000)),
  'redirect-loop': (socket) =>
    socket.end('HTTP/1.1 307 Again\r\nlocation: /redirect-loop\r\ncontent-length: 0\r\n\r\n'),
  cut: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
  reset: (socket) => socket.resetAndDestroy(),
}

/** A byte now and then: no answer, nor the lack of one. */
function drip(socket: Socket, alive: () => boolean, head: string, more: string): void {
  socket.write(head)
  const timer = setInterval(() => (alive() && !socket.destroyed ? socket.write(more) : clearInterval(timer)), 50)
}

/** As fast as it is taken. */
function flood(socket: Socket, alive: () => boolean, head: string): void {
  const block = Buffer.alloc(65_536, 'a')
  const go = () => {
    while (alive() && !socket.destroyed && socket.write(block));
  }
  socket.on('drain', go)
  socket.write(head)
  go()
}

async function startHostile() {
  const sockets = new Set<Socket>()
  let isAlive = true
  const alive = () => isAlive
  const missing = new Set(Object.keys(hostile))
  let resolveAsked: () => void = () => {}
  const allAsked = new Promise<void>((resolve) => {
    resolveAsked = resolve
  })
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.once('data', (data) => {
      const kind = /^POST \/([a-z-]+)/.exec(String(data))?.[1] ?? ''
      missing.delete(kind)
      if (missing.size === 0) resolveAsked()
      hostile[kind]?.(socket, alive)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address && typeof address === 'object')
  const close = () => {
    isAlive = false
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: `http://127.0.0.1:${address.port}`, allAsked, close }
}

let database: TestDatabase
let client: pg.Client
let engine: Engine
let receiver: Receiver
let enemy: Awaited<ReturnType<typeof startHostile>>

const kinds = Object.keys(hostile)
const tableOf = (kind: string) => `bad_${kind.replaceAll('-', '_')}`

before(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  receiver = await startReceiver()
  enemy = await startHostile()
  const tables = ['good', 'late', ...kinds.map(tableOf)]
  await client.query(tables.map((table) => `CREATE TABLE ${table} (id int PRIMARY KEY)`).join(';'))
  const env = { SVC_GRAPHQL_EVENTS_HTTP_POOL_SIZE: '16', SVC_GRAPHQL_MAX_WEBHOOK_RESPONSE_SIZE: '1000000' }
  engine = await startEngine({ databaseUrl: database.url, env })
  const trigger = (table: string, webhook: string, more: object = {}) => [
    { type: 'pg_track_table', args: { table } },
    {
      type: 'pg_create_event_trigger',
      args: { name: `on_${table}`, table, insert: { columns: '*' }, webhook, ...more },
    },
  ]
  const set = await engine.metadata('bulk', [
    ...trigger('good', `${receiver.url}/good`),
    ...trigger('late', `${receiver.url}/late`, { retry_conf: { num_retries: 1, interval_sec: 1 } }),
    ...kinds.flatMap((kind) => trigger(tableOf(kind), `${enemy.url}/${kind}`)),
  ])
  assert.equal(set.status, 200, set.text)
})
after(async () => {
  enemy.close()
  engine.kill()
  await engine.ended
  await receiver.close()
  await client.end()
  await database.drop()
})

test('what other triggers send is delivered while webhooks never end', { timeout: 30_000 }, async () => {
  // in the order of the queue they come first
  await client.query(kinds.map((kind) => `INSERT INTO ${tableOf(kind)} SELECT generate_series(1, 40)`).join(';'))
  await enemy.allAsked
  for (let id = 1; id <= 20; id++) {
    await client.query('INSERT INTO good VALUES ($1)', [id])
    assert.equal((await receiver.next()).body.event.data.new.id, id)
  }
  // none of those that never end has ended
  const { rows } = await client.query(
    `SELECT count(*)::int AS n FROM svc_catalog.event_invocation_logs WHERE trigger_name IN ('on_bad_silent', 'on_bad_slow_body')`,
  )
  assert.deepEqual(rows, [{ n: 0 }])
})

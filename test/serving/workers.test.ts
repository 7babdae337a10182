import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { type Engine, type EngineOptions, startEngine } from '../engine.ts'
import { startReceiver } from '../events/receiver.ts'
import { createTestDatabase } from '../postgres.ts'
import { openSocket } from '../websocket-client.ts'

const env = { SVC_GRAPHQL_WORKERS: '2', SVC_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL: '0' }

/** On connections of their own, which go to one worker after the other. */
const apart = { connection: 'close' }

async function startWorkers(t: TestContext, options: EngineOptions) {
  const { url: databaseUrl } = await createTestDatabase(t)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('CREATE TABLE artist (id integer PRIMARY KEY); INSERT INTO artist VALUES (1)')
  await client.end()
  const engine = await startEngine({ databaseUrl, ...options, env: { ...env, ...options.env } }, t)
  const pids = new Map<number, number>()
  for (const _ of [1, 2]) {
    const { worker, pid } = await engine.observed('worker-started')
    pids.set(worker, pid)
  }
  return { engine, pids }
}

const ask = (engine: Engine, query: string, headers = {}) =>
  engine.post('/v1/graphql', { query }, { ...apart, ...headers })

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('two workers serve as one server', async (t) => {
  const { engine, pids } = await startWorkers(t, { env: { SVC_GRAPHQL_ENABLED_APIS: 'graphql,metadata,metrics' } })

  await t.test(
    'a change of metadata through one worker is served by all when it is answered, and ends the sockets of all',
    async () => {
      const init = { 'x-svc-admin-secret': engine.secret }
      const open = () => openSocket(engine, { protocol: 'graphql-transport-ws', init })
      const sockets = [await open(), await open()]
      for (let change = 0; change < 6; change++) {
        const operation = change % 2 === 0 ? 'pg_track_table' : 'pg_untrack_table'
        const { status } = await engine.post('/v1/metadata', { type: operation, args: { table: 'artist' } }, apart)
        assert.equal(status, 200)
        const answers = await Promise.all([1, 2, 3, 4].map(() => ask(engine, '{ artist { id } }')))
        for (const { body } of answers)
          if (change % 2 === 0) assert.deepEqual(body, { data: { artist: [{ id: 1 }] } })
          else assert.equal(body.errors[0].extensions.code, 'validation-failed')
      }
      for (const { closed } of sockets) assert.equal((await closed).code, 1012)
      const changes = await Promise.all(
        [1, 2].map(() =>
          engine.post('/v1/metadata', { type: 'get_metadata_changes', args: { since_resource_version: 1 } }, apart),
        ),
      )
      assert.deepEqual(changes[0]?.body, changes[1]?.body)
      assert.equal(changes[0]?.body.changes.length, 6)
    },
  )

  await t.test('a column that run_sql adds through one worker is served by all when it is answered', async () => {
    await engine.metadata('pg_track_table', { table: 'artist' })
    const sql = 'ALTER TABLE artist ADD COLUMN name text'
    assert.equal((await engine.post('/v2/query', { type: 'run_sql', args: { sql } }, apart)).status, 200)
    for (let i = 0; i < 4; i++)
      assert.deepEqual((await ask(engine, '{ artist { name } }')).body, { data: { artist: [{ name: null }] } })
  })

  await t.test('a rate limit counts the requests of all workers', async () => {
    const rate_limit = { global: { max_reqs_per_min: 5, unique_params: null }, per_role: {} }
    assert.equal((await engine.metadata('set_api_limits', { disabled: false, rate_limit })).status, 200)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask(engine, '{ __typename }', { 'x-svc-role': 'user' })),
    )
    assert.equal(answers.filter(({ body }) => body.data).length, 5)
    for (const { body } of answers.filter(({ body }) => !body.data))
      assert.equal(body.errors[0].extensions.code, 'rate-limit-exceeded')
    // over websockets as well
    const init = { 'x-svc-admin-secret': engine.secret, 'x-svc-role': 'user' }
    const socket = await openSocket(engine, { protocol: 'graphql-transport-ws', init })
    socket.send({ id: '1', type: 'subscribe', payload: { query: '{ __typename }' } })
    assert.equal((await socket.next()).payload[0].extensions.code, 'rate-limit-exceeded')
    socket.close()
  })

  await t.test('health checks are made by one worker and answered by all', async () => {
    const checked: number[] = []
    const { body } = await engine.metadata('export_metadata', {})
    const [source] = body.sources
    const health_check = { test: { sql: 'SELECT 1' }, interval: 1, timeout: 5, retries: 0, retry_interval: 1 }
    const sources = [{ ...source, health_check }]
    assert.equal((await engine.metadata('replace_metadata', { ...body, sources })).status, 200)
    await engine.observed('health-checked')
    for (let i = 0; i < 4; i++) {
      const answer = await engine.get('/healthz/sources', apart)
      assert.equal(answer.body.default?.status, 'OK', answer.text)
      checked.push(Date.parse(answer.body.default.timestamp))
    }
    // checks of a second worker would come in between
    const first = await engine.observed('health-checked')
    await engine.observed('health-checked')
    const third = await engine.observed('health-checked')
    const apartBy = Date.parse(third.timestamp) - Date.parse(first.timestamp)
    assert.ok(apartBy >= 1900, `${apartBy} ms`)
    assert.ok(new Set(checked).size <= 2)
    assert.equal((await engine.metadata('replace_metadata', body)).status, 200)
  })

  await t.test(
    'figures are those of all workers, and none is lost with a worker that is killed and replaced',
    async () => {
      const figure = async (name: string) => {
        const { text } = await engine.get('/v1/metrics', apart)
        const line = text.split('\n').find((line) => line.startsWith(`${name} `))
        return line === undefined ? null : Number(line.slice(name.length + 1))
      }
      const operations = 'svc_graphql_operations_total{api="graphql",outcome="success"}'
      const before = (await figure(operations)) ?? 0
      for (let i = 0; i < 10; i++) assert.equal((await ask(engine, '{ __typename }')).status, 200)
      assert.equal(await figure(operations), before + 10)
      assert.equal(await figure('svc_source_up{source="default"}'), 1)
      const [worker, pid] = [...pids][1] as [number, number]
      process.kill(pid, 'SIGKILL')
      const ended = await engine.observed('worker-ended')
      assert.deepEqual([ended.worker, ended.pid, ended.signal], [worker, pid, 'SIGKILL'])
      // the other one serves meanwhile
      assert.equal((await ask(engine, '{ __typename }')).status, 200)
      const again = await engine.observed('worker-started')
      assert.equal(again.worker, worker)
      assert.notEqual(again.pid, pid)
      assert.equal(await figure(operations), before + 11)
      for (let i = 0; i < 10; i++) assert.equal((await ask(engine, '{ __typename }')).status, 200)
      assert.equal(await figure(operations), before + 21)
    },
  )

  await t.test(
    'a signal lets requests in flight on every worker finish, ends with 0 and leaves nothing behind',
    async () => {
      const sql = (seconds: number) => ({
        type: 'run_sql',
        args: { sql: `SELECT pg_sleep(${seconds})`, read_only: true },
      })
      const answers = [1, 2, 3, 4].map(() => engine.post('/v2/query', sql(1.5), apart))
      const client = new pg.Client({ connectionString: engine.databaseUrl })
      await client.connect()
      for (let sleeping = 0; sleeping < 4; ) {
        const { rows } = await client.query(
          `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(1.5)%' AND state = 'active'`,
        )
        sleeping = rows[0].n
      }
      await client.end()
      engine.kill('SIGTERM')
      for (const { status } of await Promise.all(answers)) assert.equal(status, 200)
      assert.equal(await engine.ended, 0)
      assert.deepEqual([...pids.values()].filter(isAlive), [])
      const stopping = [await engine.observed('worker-stopping'), await engine.observed('worker-stopping')]
      assert.equal(
        stopping.reduce((sum, { requestsInFlight }) => sum + requestsInFlight, 0),
        4,
      )
    },
  )
})

test('each event is delivered once, whichever worker it comes to, and one that is killed loses none', async (t) => {
  const receiver = await startReceiver(t)
  const { engine, pids } = await startWorkers(t, { env: { SVC_GRAPHQL_EVENTS_FETCH_INTERVAL: '50' } })
  assert.equal((await engine.metadata('pg_track_table', { table: 'artist' })).status, 200)
  const trigger = { name: 'made', table: 'artist', insert: { columns: '*' }, webhook: receiver.url }
  assert.equal((await engine.metadata('pg_create_event_trigger', trigger)).status, 200)
  const insert = async (from: number) => {
    const objects = Array.from({ length: 50 }, (_, i) => ({ id: from + i }))
    const query = 'mutation ($objects: [artist_insert_input!]!) { insert_artist(objects: $objects) { affected_rows } }'
    const { body } = await engine.post('/v1/graphql', { query, variables: { objects } }, apart)
    assert.equal(body.data?.insert_artist.affected_rows, 50, JSON.stringify(body))
  }
  const idsOf = () => receiver.received.map(({ body }) => Number(body.event.data.new.id))
  for (let from = 100; from < 500; from += 50) await insert(from)
  for (let i = 0; i < 400; i++) await receiver.next()
  // duplicates would be among those that come before the last of later ones
  await insert(500)
  for (let i = 0; i < 50; i++) await receiver.next()
  assert.equal(new Set(idsOf()).size, 450)
  assert.equal(receiver.received.length, 450)

  // its events are another's once it is gone
  process.kill(pids.get(1) ?? 0, 'SIGKILL')
  // until then the parent may hand it a connection, which dies with it
  await engine.observed('worker-ended')
  await insert(1000)
  while (new Set(idsOf()).size < 500) await receiver.next()
  // one that is just being started in place of the killed one is stopped like the others
  engine.kill('SIGTERM')
  assert.equal(await engine.ended, 0)
})

test('what keeps a worker from starting ends the parent with its reason', async (t) => {
  const taken = createServer().listen(0)
  await once(taken, 'listening')
  t.after(async () => void taken.close())
  const address = taken.address()
  const port = typeof address === 'object' && address ? String(address.port) : ''
  const { url: databaseUrl } = await createTestDatabase(t)
  await assert.rejects(startEngine({ databaseUrl, env: { ...env, SVC_GRAPHQL_SERVER_PORT: port } }), (error: Error) => {
    assert.match(error.message, /ended \(1\)/)
    assert.match(error.message, new RegExp(`Port ${port} is in use`))
    return true
  })
})

test('a worker that is killed while it starts is replaced, and the other workers continue to serve', async (t) => {
  // the second process that the parent starts
  const dies = "import cluster from 'node:cluster'; if (cluster.worker?.id === 2) process.kill(process.pid, 'SIGKILL')"
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(dies)}`
  const { engine, pids } = await startWorkers(t, { env: { NODE_OPTIONS } })
  assert.deepEqual([...pids.keys()].sort(), [1, 2])
  const failed = await engine.observed('worker-failed')
  assert.deepEqual([failed.worker, failed.message], [2, 'worker 2 ended before it served (SIGKILL)'])
  for (let i = 0; i < 4; i++) assert.equal((await ask(engine, '{ __typename }')).status, 200)
})

test('the embedded database is started once, by the parent, and nothing outlives a parent that is killed', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-workers-'))
  t.after(async () => rmSync(directory, { recursive: true, force: true }))
  const options = { databaseUrl: '', env: { ...env, SVC_GRAPHQL_DATABASE_URL: undefined } }
  const args = ['--embedded', '--embedded-data-directory', directory]
  const engine = await startEngine({ ...options, args }, t)
  const { pid } = await engine.observed('embedded-started')
  const sql = { type: 'run_sql', args: { sql: 'SELECT 1', read_only: true } }
  for (let i = 0; i < 4; i++) assert.equal((await engine.post('/v2/query', sql, apart)).status, 200)
  const pids = [pid, (await engine.observed('worker-started')).pid, (await engine.observed('worker-started')).pid]
  engine.kill('SIGKILL')
  await engine.ended
  while (pids.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 10))
})

/** Read replicas (docs/routing.md): real standbys that stream from a real primary, through the real process. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { type PostgresReplica, type PostgresServer, startPostgres } from '../postgres-server.ts'
import { openSocket } from '../websocket-client.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const table = (name: string) => ({ schema: 'public', name })

describe('read replicas', () => {
  let primary: PostgresServer
  let first: PostgresReplica
  let second: PostgresReplica
  let proxy: TcpProxy
  let primaryProxy: TcpProxy
  let engine: Engine
  let client: pg.Client

  const run = async (url: string, statement: string) => {
    const own = new pg.Client({ connectionString: url })
    await own.connect()
    try {
      return (await own.query(statement)).rows
    } finally {
      await own.end()
    }
  }
  const portOf = ({ url }: { readonly url: string }) => Number(new URL(url).port)
  const ask = async (query: string, headers = {}) => {
    const { body } = await engine.post('/v1/graphql', { query }, headers)
    assert.ok(body.data, JSON.stringify(body))
    return body.data
  }
  /** The port of the server that answers. */
  const asked = async (headers = {}) => (await ask('{ place { port } }', headers)).place[0].port as number
  /** Waits until it is asked. */
  const served = async (replica: { readonly url: string }) => {
    const line = new RegExp(`svc_replica_up{source="default",replica="[^"]*:${portOf(replica)}/[^"]*"} 1`)
    while (!line.test((await engine.get('/v1/metrics')).text)) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const leftOut = (replica: { readonly url: string }, reason: string) =>
    engine.observed('replica-left-out', (o) => o.reason === reason && o.replica.includes(`:${portOf(replica)}/`))
  const configure = async (replicas: readonly unknown[], more = {}) => {
    const configuration = {
      connection_info: { database_url: { from_env: 'PRIMARY' } },
      ...(replicas.length > 0 && { read_replicas: replicas }),
      ...more,
    }
    const answer = await engine.metadata('pg_update_source', { name: 'default', configuration })
    assert.equal(answer.status, 200, answer.text)
  }
  /** Waits until a server runs a statement. */
  const running = async ({ url }: { readonly url: string }) => {
    const script = `SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%slow%' AND pid <> pg_backend_pid()`
    while ((await run(url, script)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const caughtUp = async (replica: { readonly url: string }) => {
    const [{ at }] = await run(primary.url, 'SELECT pg_current_wal_insert_lsn() AS at')
    const script = `SELECT pg_last_wal_replay_lsn() >= '${at}' AS there`
    while (!(await run(replica.url, script))[0]?.there) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  before(async () => {
    primary = await startPostgres()
    first = await primary.replica()
    second = await primary.replica()
    proxy = await startTcpProxy(first.url)
    primaryProxy = await startTcpProxy(primary.url)
    client = new pg.Client({ connectionString: primary.url })
    await client.connect()
    await client.query(`CREATE TABLE note (id integer PRIMARY KEY, text text);
      INSERT INTO note VALUES (1, 'one');
      CREATE VIEW place AS SELECT 1 AS id, inet_server_port() AS port, pg_backend_pid() AS session;
      CREATE FUNCTION slowly() RETURNS integer LANGUAGE sql STABLE AS 'SELECT inet_server_port() FROM pg_sleep(0.4)';
      CREATE VIEW slow AS SELECT 1 AS id, slowly() AS port;
      CREATE FUNCTION volatile_places() RETURNS SETOF place LANGUAGE sql VOLATILE AS 'SELECT * FROM place';
      CREATE FUNCTION stable_places() RETURNS SETOF place LANGUAGE sql STABLE AS 'SELECT * FROM place'`)
    engine = await startEngine({
      databaseUrl: primary.url,
      env: {
        PRIMARY: primary.url,
        FIRST: first.url,
        SECOND: second.url,
        PROXIED: proxy.url,
        PROXIED_PRIMARY: primaryProxy.url,
        SVC_GRAPHQL_REPLICA_CHECK_INTERVAL: '100',
        // more than a standby is late on a busy machine
        SVC_GRAPHQL_MAX_REPLICA_LAG: '1500',
        SVC_GRAPHQL_ENABLED_APIS: 'graphql,metadata,metrics,developer',
      },
    })
    await Promise.all([caughtUp(first), caughtUp(second)])
    for (const name of ['note', 'place', 'slow']) {
      assert.equal((await engine.metadata('pg_track_table', { table: table(name) })).status, 200)
      const permission = { columns: '*', filter: {} }
      await engine.metadata('pg_create_select_permission', { table: table(name), role: 'user', permission })
    }
    for (const name of ['volatile_places', 'stable_places'])
      await engine.metadata('pg_track_function', {
        function: table(name),
        configuration: { exposed_as: 'query' },
      })
  })
  after(async () => {
    await client.end()
    await engine.stop()
    await proxy.close()
    await primaryProxy.close()
    await primary.stop()
  })

  test('reads of every role go to replicas, in turn; what writes goes to the primary', async () => {
    await configure([{ database_url: { from_env: 'FIRST' } }, { database_url: { from_env: 'SECOND' } }])
    await Promise.all([served(first), served(second)])
    const ports = new Set([await asked(), await asked(), await asked({ 'x-svc-role': 'user' })])
    assert.deepEqual(ports, new Set([portOf(first), portOf(second)]))
    const two = await ask('{ a: place { port } b: place { port } }')
    assert.deepEqual(two.a, two.b, 'a request keeps its replica')
    assert.deepEqual(await ask('{ volatile_places { port } }'), { volatile_places: [{ port: portOf(primary) }] })
    assert.notEqual((await ask('{ stable_places { port } }')).stable_places[0].port, portOf(primary))
    const written = await ask('mutation { insert_note_one(object: { id: 2, text: "two" }) { id text } }')
    assert.deepEqual(written, { insert_note_one: { id: 2, text: 'two' } })
    const rows = await engine.post('/v1/query', { type: 'select', args: { table: 'place', columns: ['port'] } })
    assert.deepEqual(rows.body, [{ port: portOf(primary) }])
    await caughtUp(first)
  })
  test('a replica that dies is left out, its reads are answered elsewhere, and it is used again by itself', async () => {
    const slow = ask('{ slow { port } }')
    const [{ port }] = (await slow).slow
    const victim = port === portOf(first) ? first : second
    const asking = Array.from({ length: 8 }, () => ask('{ slow { port } }'))
    await running(victim)
    await victim.stop('immediate')
    const answers = await Promise.all(asking)
    assert.ok(answers.every(({ slow: [row] }) => row.port !== portOf(victim)))
    await leftOut(victim, 'unreachable')
    assert.notEqual(await asked(), portOf(victim))
    const { text } = await engine.get('/v1/metrics')
    assert.match(text, new RegExp(`svc_replica_up{source="default",replica="[^"]*:${portOf(victim)}/postgres"} 0`))
    assert.match(text, /svc_replica_reads_moved_total{[^}]*reason="unreachable"} [1-9]/)
    await victim.start()
    await served(victim)
  })

  test('one that is too far behind is left out until it has caught up', async () => {
    await run(first.url, 'SELECT pg_wal_replay_pause()')
    await client.query("INSERT INTO note VALUES (3, 'three')")
    await leftOut(first, 'lagging')
    assert.equal(await asked(), portOf(second))
    await run(first.url, 'SELECT pg_wal_replay_resume()')
    await served(first)
  })

  test('one that does not answer at all delays no request', async () => {
    await configure([{ database_url: { from_env: 'PROXIED' } }])
    const proxied = { url: proxy.url }
    await served(proxied)
    assert.equal(await asked(), portOf(first))
    proxy.pause()
    // asked before the engine knows
    assert.equal(await asked(), portOf(primary))
    await leftOut(proxied, 'unreachable')
    proxy.mend()
    await served(proxied)
    assert.equal(await asked(), portOf(first))
  })

  test('one that lacks a table fails no read, and is asked again once it has it', async () => {
    await run(primary.url, 'CREATE DATABASE other')
    const other = new URL(primary.url)
    other.pathname = '/other'
    await configure([{ database_url: other.href }])
    await engine.observed('replica-serving', ({ replica }) => replica.endsWith('/other'))
    assert.deepEqual((await ask('{ note(where: {id: {_eq: 1}}) { text } }')).note, [{ text: 'one' }])
    const { message } = await engine.observed('replica-left-out', ({ reason }) => reason === 'differs')
    assert.match(message, /relation "public.note" does not exist/)
    await run(other.href, "CREATE TABLE note (id integer PRIMARY KEY, text text); INSERT INTO note VALUES (1, 'other')")
    await engine.observed('replica-serving', ({ replica }) => replica.endsWith('/other'))
    assert.deepEqual((await ask('{ note(where: {id: {_eq: 1}}) { text } }')).note, [{ text: 'other' }])
    // refused by both is no difference
    await client.query('ALTER VIEW place RENAME TO elsewhere')
    const { body } = await engine.post('/v1/graphql', { query: '{ place { port } }' })
    assert.equal(body.errors[0].extensions.code, 'unexpected')
    await client.query('ALTER VIEW elsewhere RENAME TO place')
    await Promise.all([caughtUp(first), caughtUp(second)])
    assert.deepEqual((await ask('{ note(where: {id: {_eq: 1}}) { text } }')).note, [{ text: 'other' }])
  })

  test('subscriptions are polled on a replica, and on another one when it dies', async () => {
    await configure([{ database_url: { from_env: 'FIRST' } }, { database_url: { from_env: 'SECOND' } }])
    await Promise.all([served(first), served(second)])
    const headers = { 'x-svc-admin-secret': engine.secret }
    const socket = await openSocket(engine, { protocol: 'graphql-transport-ws', init: headers })
    socket.send({ id: '1', type: 'subscribe', payload: { query: 'subscription { place { port } }' } })
    const { payload } = await socket.next()
    const [{ port }] = payload.data.place
    assert.notEqual(port, portOf(primary))
    const victim = port === portOf(first) ? first : second
    await victim.stop('immediate')
    const moved = await socket.next()
    assert.notEqual(moved.payload.data.place[0].port, port)
    socket.close()
    await victim.start()
    await served(victim)
  })

  test('with the primary away the replicas go on answering', async () => {
    const connection_info = { database_url: { from_env: 'PROXIED_PRIMARY' } }
    await configure([{ database_url: { from_env: 'SECOND' } }], { connection_info })
    await served(second)
    primaryProxy.cut()
    assert.equal(await asked(), portOf(second))
    const mutation = 'mutation { delete_note_by_pk(id: 99) { id } }'
    const { body } = await engine.post('/v1/graphql', { query: mutation })
    assert.equal(body.errors[0].extensions.code, 'postgres-error')
    primaryProxy.mend()
    await configure([{ database_url: { from_env: 'FIRST' } }, { database_url: { from_env: 'SECOND' } }])
    await Promise.all([served(first), served(second)])
  })

  test('explain goes where the read goes', async () => {
    const query = 'query { note { id } }'
    const { body } = await engine.post('/v1/graphql/explain', { query: { query } })
    assert.match(body[0].plan.join(), /Scan/)
    const seen = async ({ url }: { readonly url: string }) =>
      (
        await run(url, "SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'EXPLAIN (FORMAT TEXT)%note%'")
      )[0].n
    assert.equal(await seen(primary), 0)
    assert.equal((await seen(first)) + (await seen(second)), 1)
  })

  test('a change of what is configured opens and closes nothing else', async () => {
    // the catalogue's connections to the primary come and go by themselves: only those that answer are looked at
    const answering = async () => {
      const { volatile_places, a, b } = {
        ...(await ask('{ volatile_places { port session } }')),
        a: (await ask('{ place { port session } }')).place,
        b: (await ask('{ place { port session } }')).place,
      }
      const of = (server: { readonly url: string }) =>
        [...volatile_places, ...a, ...b].find(({ port }) => port === portOf(server))?.session
      return { primary: of(primary), first: of(first), second: of(second) }
    }
    const sessions = async ({ url }: { readonly url: string }) =>
      (await run(url, 'SELECT pid FROM pg_stat_activity')).map(({ pid }) => pid)
    const before = await answering()
    const there = { primary: await sessions(primary), first: await sessions(first) }
    await configure([{ database_url: { from_env: 'FIRST' } }])
    const now = await answering()
    assert.equal(now.second, undefined)
    assert.ok(there.primary.includes(now.primary) && there.first.includes(now.first), 'nothing else was opened')
    assert.ok((await sessions(primary)).includes(before.primary), 'nothing else was closed')
    assert.ok((await sessions(first)).includes(before.first), 'nothing else was closed')
    await configure([])
    assert.equal(await asked(), portOf(primary))
  })

  test('a configuration that cannot be read makes the source inconsistent; one that is away does not', async () => {
    const add = (replica: unknown, name: string) =>
      engine.metadata('pg_add_source', {
        name,
        configuration: { connection_info: { database_url: { from_env: 'PRIMARY' } }, read_replicas: [replica] },
      })
    const unset = await add({ database_url: { from_env: 'NOT_SET' } }, 'unset')
    assert.equal(unset.body.code, 'invalid-configuration')
    assert.match(unset.text, /environment variable 'NOT_SET' not set/)
    const odd = await add({ database_url: 'hush' }, 'odd')
    assert.equal(odd.status, 400)
    assert.ok(!engine.log.some((line) => /hush/.test(line) && !/http-log|query-log/.test(line)))
    const away = await add({ database_url: 'postgres://u:hush2@127.0.0.1:1/x' }, 'away')
    assert.equal(away.status, 200, away.text)
    const { message, replica } = await engine.observed('replica-left-out', ({ source }) => source === 'away')
    assert.deepEqual([replica, /ECONNREFUSED/.test(message)], ['127.0.0.1:1/x', true])
    assert.equal((await engine.metadata('get_inconsistent_metadata', {})).body.length, 0)
    assert.equal((await engine.metadata('pg_drop_source', { name: 'away' })).status, 200)
    assert.ok(!engine.log.some((line) => /hush2/.test(line) && !/http-log|query-log/.test(line)))
  })
})

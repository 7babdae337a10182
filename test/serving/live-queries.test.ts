/**
 * Live queries (reference/subscriptions, reference/websockets#rules-of-operations), through the real process and both
 * protocols.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createClient } from 'graphql-ws'
import pg from 'pg'
import { SubscriptionClient } from 'subscriptions-transport-ws'
import { WebSocket } from 'ws'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { openSocket, type TestSocket } from '../websocket-client.ts'

const table = { schema: 'public', name: 'artist' }

describe('live queries', () => {
  let database: TestDatabase
  let engine: Engine
  let client: pg.Client
  let secret: Readonly<Record<string, string>>
  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`CREATE TABLE artist (id integer PRIMARY KEY, name text, fans integer);
      INSERT INTO artist SELECT n, 'artist ' || n, n FROM generate_series(1, 20) n;
      CREATE FUNCTION named(pattern text) RETURNS SETOF artist LANGUAGE sql STABLE AS
        $$ SELECT * FROM artist WHERE name LIKE pattern $$`)
    engine = await startEngine({
      databaseUrl: database.url,
      env: {
        SVC_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: '40',
        SVC_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_BATCH_SIZE: '5',
        SVC_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE: 'false',
        SVC_GRAPHQL_ENABLED_APIS: 'graphql,metadata,developer',
      },
    })
    secret = { 'x-svc-admin-secret': engine.secret }
    await succeeds('pg_track_table', { table })
    await succeeds('pg_track_function', { function: { schema: 'public', name: 'named' } })
    await succeeds('pg_create_select_permission', {
      table,
      role: 'user',
      permission: { columns: ['id', 'name', 'fans'], filter: { id: { _eq: 'X-Svc-User-Id' } } },
    })
  })
  after(async () => {
    await client.end()
    await engine.stop()
    await database.drop()
  })

  async function succeeds(type: string, args: unknown) {
    const { status, text } = await engine.metadata(type, args)
    assert.equal(status, 200, text)
  }
  const asUser = (id: number | string) => ({ ...secret, 'x-svc-role': 'user', 'x-svc-user-id': String(id) })
  const open = (init: Readonly<Record<string, string>> = secret, path = '/v1/graphql') =>
    openSocket(engine, { protocol: 'graphql-transport-ws', init, path })
  const subscribe = (socket: TestSocket, id: string, query: string, variables: object = {}) =>
    socket.send({ id, type: 'subscribe', payload: { query, variables } })
  /** The data of the next message of an id. */
  async function data(socket: TestSocket, id: string) {
    const message = await socket.next()
    assert.deepEqual([message.type, message.id], ['next', id], JSON.stringify(message))
    return message.payload.data
  }

  test('the official clients get the first answer at once, and another one whenever it has changed', async () => {
    const query = 'subscription { artist_by_pk(id: 1) { fans } }'
    const url = `${engine.url.replace(/^http/, 'ws')}/v1/graphql`
    const modern = createClient({ url, webSocketImpl: WebSocket, connectionParams: { headers: secret } })
    const legacy = new SubscriptionClient(url, { connectionParams: { headers: secret } }, WebSocket)
    const received: { readonly name: string; readonly fans: unknown }[] = []
    let wake = () => {}
    const receive = (name: string) => (result: { data?: unknown }) => {
      received.push({ name, fans: (result.data as { artist_by_pk: { fans: number } }).artist_by_pk.fans })
      wake()
    }
    const ignore = () => {}
    const sinks = { error: ignore, complete: ignore }
    const ends = [
      modern.subscribe({ query }, { next: receive('modern'), ...sinks }),
      legacy.request({ query }).subscribe({ next: receive('legacy'), ...sinks }).unsubscribe,
    ]
    for (const fans of [1, 101, 102]) {
      if (fans > 1) await client.query('UPDATE artist SET fans = $1 WHERE id = 1', [fans])
      for (const name of ['modern', 'legacy'])
        while (!received.some((one) => one.name === name && one.fans === fans))
          await new Promise<void>((resolve) => {
            wake = resolve
          })
    }
    for (const name of ['modern', 'legacy'])
      assert.deepEqual(
        received.filter((one) => one.name === name).map(({ fans }) => fans),
        [1, 101, 102],
      )
    for (const end of ends) end()
    await modern.dispose()
    legacy.close()
  })

  test('subscribers of a statement share it: those with equal values an answer, the rest a batch, each with rows of its own', async () => {
    const sockets = await Promise.all([2, 3, 4, 5, 6, 7, 8, 2].map((id) => open(asUser(id))))
    for (const socket of sockets)
      subscribe(socket, 'a', 'subscription ($min: Int!) { artist(where: {id: {_gte: $min}}) { id fans } }', { min: 1 })
    const seen = await Promise.all(sockets.map((socket) => data(socket, 'a')))
    assert.deepEqual(
      seen,
      [2, 3, 4, 5, 6, 7, 8, 2].map((id) => ({ artist: [{ id, fans: id }] })),
    )
    // 7 cohorts in batches of 5
    const { body } = await engine.get('/dev/subscriptions/extended')
    const [poller] = body.live_queries_map
    assert.deepEqual([poller.cohorts, poller.subscribers, body.live_queries_map.length], [7, 8, 1])
    await engine.observed('subscriptions-polled', ({ cohorts, sent }) => cohorts === 5 && sent === 0)
    await engine.observed('subscriptions-polled', ({ cohorts, sent }) => cohorts === 2 && sent === 0)
    await client.query('UPDATE artist SET fans = 0 WHERE id IN (2, 8)')
    assert.deepEqual(await Promise.all([0, 6, 7].map((i) => data(sockets[i] as TestSocket, 'a'))), [
      { artist: [{ id: 2, fans: 0 }] },
      { artist: [{ id: 8, fans: 0 }] },
      { artist: [{ id: 2, fans: 0 }] },
    ])
    for (const socket of sockets) socket.close()
    for (const { closed } of sockets) await closed
    while ((await engine.get('/dev/subscriptions')).body.live_queries_map.length > 0);
  })

  test('literals in the place of values are asked together as well', async () => {
    const socket = await open()
    for (const id of [11, 12, 13]) subscribe(socket, String(id), `subscription { artist_by_pk(id: ${id}) { id } }`)
    const seen = [await socket.next(), await socket.next(), await socket.next()]
    assert.deepEqual(
      new Set(seen.map(({ id, payload }) => `${id} ${payload.data.artist_by_pk.id}`)),
      new Set(['11 11', '12 12', '13 13']),
    )
    const { body } = await engine.get('/dev/subscriptions')
    assert.deepEqual([body.live_queries_map.length, body.live_queries_map[0].cohorts], [1, 3])
    socket.close()
  })

  test('aggregates, functions, rows by key, nothing, several fields and fragments are subscribed to', async () => {
    const socket = await open()
    const cases: readonly (readonly [string, unknown])[] = [
      [
        '{ artist_aggregate(where: {id: {_lt: 4}}) { aggregate { count } } }',
        { artist_aggregate: { aggregate: { count: 3 } } },
      ],
      ['{ named(args: {pattern: "%t 2"}) { id } }', { named: [{ id: 2 }] }],
      ['{ artist_by_pk(id: 999) { id } }', { artist_by_pk: null }],
      ['{ artist(where: {id: {_in: []}}) { id } }', { artist: [] }],
      [
        '@_multiple_top_level_fields { b: artist_by_pk(id: 2) { id } a: artist_by_pk(id: 999) { id } }',
        { b: { id: 2 }, a: null },
      ],
      [
        '{ ...f } fragment f on subscription_root { artist(order_by: {id: asc}, limit: 1) { ...g } } fragment g on artist { id }',
        { artist: [{ id: 1 }] },
      ],
    ]
    for (const [i, [query, expected]] of cases.entries()) {
      subscribe(socket, String(i), `subscription ${query}`)
      assert.deepEqual(await data(socket, String(i)), expected)
    }
    socket.close()
  })

  test("Relay's connections and nodes are subscribed to", async () => {
    const socket = await open(secret, '/v1beta1/relay')
    subscribe(socket, '1', 'subscription { artist_connection(first: 1) { edges { node { name id } } } }')
    const { artist_connection: connection } = await data(socket, '1')
    const [{ node }] = connection.edges
    assert.equal(node.name, 'artist 1')
    subscribe(socket, '2', `subscription { node(id: "${node.id}") { ... on artist { name } } }`)
    assert.deepEqual(await data(socket, '2'), { node: { name: 'artist 1' } })
    socket.close()
  })

  test('what cannot be subscribed to is refused by its rule', async () => {
    const socket = await open()
    const cases: readonly (readonly [string, string, string])[] = [
      ['{ a: artist { id } b: artist { id } }', 'validation-failed', 'subscriptions must select one top level field'],
      ['{ artist { id } @skip(if: true) }', 'validation-failed', ''],
      ['{ artist @skip(if: true) { id } }', 'validation-failed', 'subscriptions must select one top level field'],
      ['{ __typename }', 'not-supported', 'Introspection at root field level is not supported over subscriptions'],
      [
        '{ __schema { types { name } } }',
        'not-supported',
        'Introspection at root field level is not supported over subscriptions',
      ],
      [
        '@_multiple_top_level_fields { artist { id } artist_stream(batch_size: 1, cursor: {initial_value: {id: 0}}) { id } }',
        'not-supported',
        'streaming and live query fields cannot be mixed in one subscription',
      ],
      ['@cached { artist { id } }', 'validation-failed', "directive 'cached' is not allowed on a subscription"],
      ['{ nothing }', 'validation-failed', "field 'nothing' not found in type: 'subscription_root'"],
    ]
    for (const [query, code, message] of cases) {
      subscribe(socket, 'x', `subscription ${query}`)
      const { type, payload } = await socket.next()
      assert.equal(type, 'error', query)
      assert.equal(payload[0].extensions.code, code, JSON.stringify(payload))
      if (message !== '') assert.equal(payload[0].message, message)
      assert.deepEqual(await socket.next(), { type: 'complete', id: 'x' })
    }
    const stranger = await open({ ...secret, 'x-svc-role': 'stranger' })
    subscribe(stranger, '1', 'subscription { artist { id } }')
    assert.equal((await stranger.next()).payload[0].message, 'no subscriptions exist')
    const unnamed = await open({ ...secret, 'x-svc-role': 'user' })
    subscribe(unnamed, '1', 'subscription { artist { id } }')
    assert.deepEqual((await unnamed.next()).payload[0].extensions, { path: '$', code: 'not-found' })
    const answer = await engine.post('/v1/graphql', { query: 'subscription { artist { id } }' })
    assert.equal(answer.body.errors[0].extensions.code, 'unexpected-payload')
    for (const each of [socket, stranger, unnamed]) each.close()
  })

  test('an id that is in use is refused; one that was stopped can be used again', async () => {
    for (const [protocol, stop] of [
      ['graphql-ws', 'stop'],
      ['graphql-transport-ws', 'complete'],
    ] as const) {
      const socket = await openSocket(engine, { protocol, init: secret })
      const start = { id: '1', type: 'start', payload: { query: 'subscription { artist_by_pk(id: 3) { id } }' } }
      socket.send(start)
      await socket.next()
      socket.send({ id: '1', type: stop })
      socket.send(start)
      await socket.next()
      socket.send(start)
      const message = 'an operation already exists with this id: 1'
      const refused = await socket.next()
      if (protocol === 'graphql-ws') {
        assert.deepEqual(refused.payload.errors[0], { message, extensions: { path: '$', code: 'start-failed' } })
        socket.close()
      } else {
        assert.equal(refused.payload, message)
        assert.equal((await socket.closed).code, 4400)
      }
    }
  })

  test('a value that cannot be read is refused, and does not affect those that share the statement', async () => {
    const query = 'subscription { artist { id fans } }'
    const good = await Promise.all([14, 15, 16].map((id) => open(asUser(id))))
    for (const socket of good) subscribe(socket, '1', query)
    const bad = await open(asUser('nonsense'))
    subscribe(bad, '1', query)
    const { type, payload } = await bad.next()
    assert.deepEqual([type, payload[0].extensions.code], ['error', 'data-exception'])
    assert.deepEqual(await bad.next(), { type: 'complete', id: '1' })
    for (const [i, socket] of good.entries())
      assert.deepEqual(await data(socket, '1'), { artist: [{ id: 14 + i, fans: 14 + i }] })
    for (const socket of [...good, bad]) socket.close()
  })

  test('a poll that fails is reported to those whom it concerns, who remain and get the next result', async () => {
    await client.query(`CREATE VIEW inverse AS SELECT id, 1 / fans AS x FROM artist`)
    await succeeds('pg_track_table', { table: { schema: 'public', name: 'inverse' } })
    const socket = await open()
    subscribe(socket, 'a', 'subscription { inverse(where: {id: {_eq: 17}}) { x } }')
    subscribe(socket, 'b', 'subscription { inverse(where: {id: {_eq: 18}}) { id } }')
    subscribe(socket, 'c', 'subscription { inverse(where: {id: {_eq: 19}}) { x } }')
    for (let i = 0; i < 3; i++) assert.equal((await socket.next()).type, 'next')
    await client.query('UPDATE artist SET fans = 0 WHERE id = 17')
    const failed = await socket.next()
    assert.deepEqual([failed.type, failed.id, failed.payload.data], ['next', 'a', null])
    assert.equal(failed.payload.errors[0].extensions.code, 'data-exception')
    assert.equal((await socket.next()).id, 'a')
    await client.query('UPDATE artist SET fans = 17 WHERE id = 17')
    for (let message = failed; message.payload.data === null; ) message = await socket.next()
    await client.query('UPDATE artist SET fans = 1 WHERE id = 19')
    const messages = [await data(socket, 'c')]
    assert.deepEqual(messages, [{ inverse: [{ x: 1 }] }])
    socket.close()
  })

  test('a permission that changes is obeyed at once; a plan that is right remains', async () => {
    const socket = await open(asUser(9))
    subscribe(socket, 'own', 'subscription { artist { id } }')
    assert.deepEqual(await data(socket, 'own'), { artist: [{ id: 9 }] })
    const change = (filter: object) =>
      engine.post('/v2/query', { type: 'run_sql', args: { sql: 'SELECT 1' } }).then(() =>
        succeeds('bulk', [
          { type: 'pg_drop_select_permission', args: { table, role: 'user' } },
          {
            type: 'pg_create_select_permission',
            args: { table, role: 'user', permission: { columns: ['id', 'name', 'fans'], filter } },
          },
        ]),
      )
    await change({ id: { _lt: 3 } })
    assert.deepEqual(await data(socket, 'own'), { artist: [{ id: 1 }, { id: 2 }] })
    await change({ id: { _eq: 'X-Svc-User-Id' } })
    assert.deepEqual(await data(socket, 'own'), { artist: [{ id: 9 }] })
    await succeeds('pg_drop_select_permission', { table, role: 'user' })
    const refused = await socket.next()
    assert.deepEqual([refused.type, refused.payload[0].message], ['error', 'no subscriptions exist'])
    assert.deepEqual(await socket.next(), { type: 'complete', id: 'own' })
    socket.close()
  })

  test('a permission that another instance changes is obeyed as well, with the sockets open', async () => {
    const permission = { columns: ['id'], filter: { id: { _lt: 2 } } }
    await succeeds('pg_create_select_permission', { table, role: 'peer', permission })
    const peer = await startEngine({ databaseUrl: database.url })
    const socket = await open({ ...secret, 'x-svc-role': 'peer' })
    subscribe(socket, '1', 'subscription { artist(order_by: {id: asc}) { id } }')
    assert.deepEqual(await data(socket, '1'), { artist: [{ id: 1 }] })
    const { status } = await peer.metadata('bulk', [
      { type: 'pg_drop_select_permission', args: { table, role: 'peer' } },
      {
        type: 'pg_create_select_permission',
        args: { table, role: 'peer', permission: { ...permission, filter: { id: { _lte: 2 } } } },
      },
    ])
    assert.equal(status, 200)
    assert.deepEqual(await data(socket, '1'), { artist: [{ id: 1 }, { id: 2 }] })
    socket.close()
    await peer.stop()
  })
})

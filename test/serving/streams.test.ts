/**
 * Streaming subscriptions (reference/subscriptions#streams), through the real process: in order, none lost, none twice.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { openSocket, type TestSocket } from '../websocket-client.ts'

describe('streaming subscriptions', () => {
  let database: TestDatabase
  let engine: Engine
  let client: pg.Client
  let secret: Readonly<Record<string, string>>
  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`CREATE TABLE event (id bigint PRIMARY KEY, at timestamptz, kind text, key uuid, part integer);
      CREATE TABLE kind (value text PRIMARY KEY);
      INSERT INTO event SELECT n, '2024-01-01'::timestamptz + n * interval '1.000001 s', CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END,
        ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, n / 10 FROM generate_series(1, 100) n`)
    engine = await startEngine({
      databaseUrl: database.url,
      env: {
        SVC_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: '20',
        SVC_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_BATCH_SIZE: '3',
        SVC_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE: 'false',
        SVC_GRAPHQL_ENABLED_APIS: 'graphql,metadata,developer',
      },
    })
    secret = { 'x-svc-admin-secret': engine.secret }
    const table = { schema: 'public', name: 'event' }
    assert.equal((await engine.metadata('pg_track_table', { table })).status, 200)
    const permission = { columns: ['id', 'kind'], filter: { kind: { _eq: 'X-Svc-Kind' } }, limit: 4 }
    await engine.metadata('pg_create_select_permission', { table, role: 'user', permission })
  })
  after(async () => {
    await client.end()
    await engine.stop()
    await database.drop()
  })

  const open = (init: Readonly<Record<string, string>> = secret) =>
    openSocket(engine, { protocol: 'graphql-transport-ws', init })
  const subscribe = (socket: TestSocket, id: string, query: string, variables: object = {}) =>
    socket.send({ id, type: 'subscribe', payload: { query, variables } })
  async function batch(socket: TestSocket, field = 'event_stream'): Promise<readonly Record<string, unknown>[]> {
    const message = await socket.next()
    assert.equal(message.type, 'next', JSON.stringify(message))
    return message.payload.data[field]
  }
  const ids = (rows: readonly Record<string, unknown>[]) => rows.map(({ id }) => Number(id))
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

  test('batches follow each other from behind the initial value; what is inserted later comes too; an empty one never', async () => {
    const socket = await open()
    subscribe(socket, '1', 'subscription { event_stream(batch_size: 30, cursor: {initial_value: {id: 25}}) { id } }')
    assert.deepEqual(ids(await batch(socket)), range(26, 55))
    assert.deepEqual(ids(await batch(socket)), range(56, 85))
    assert.deepEqual(ids(await batch(socket)), range(86, 100))
    await engine.observed('subscriptions-polled', ({ of, sent }) => of === 'stream' && sent === 0)
    await client.query('INSERT INTO event (id) VALUES (101), (102)')
    assert.deepEqual(ids(await batch(socket)), [101, 102])
    await client.query('DELETE FROM event WHERE id > 100')
    socket.close()
  })

  test('descending, by time with microseconds, by uuid, by a column with ties', async () => {
    const cases = [
      [
        '{initial_value: {id: 50}, ordering: DESC}',
        20,
        [range(30, 49).reverse(), range(10, 29).reverse(), range(1, 9).reverse()],
      ],
      ['{initial_value: {at: "2023-01-01"}}', 50, [range(1, 50), range(51, 100)]],
      ['{initial_value: {key: "00000000-0000-0000-0000-000000000080"}}', 15, [range(81, 95), range(96, 100)]],
      // whatever is equal to the last row belongs to its batch
      ['[null, {initial_value: {part: 6}}]', 5, [range(70, 79), range(80, 89), range(90, 99), [100]]],
    ] as const
    for (const [cursor, size, expected] of cases) {
      const socket = await open()
      subscribe(socket, '1', `subscription { event_stream(batch_size: ${size}, cursor: ${cursor}) { id } }`)
      for (const each of expected)
        assert.deepEqual(
          ids(await batch(socket)).sort((a, b) => a - b),
          [...each].sort((a, b) => a - b),
        )
      socket.close()
    }
  })

  test('a role gets its rows only, no more at a time than its limit, with variables and a condition', async () => {
    const socket = await open({ ...secret, 'x-svc-role': 'user', 'x-svc-kind': 'odd' })
    const query =
      'subscription ($size: Int!, $cursor: [event_stream_cursor_input]!, $least: bigint!) { e: event_stream(batch_size: $size, cursor: $cursor, where: {id: {_gte: $least}}) { id kind } }'
    subscribe(socket, '1', query, { size: 10, cursor: [{ initial_value: { id: 1 }, ordering: 'ASC' }], least: 90 })
    assert.deepEqual(ids(await batch(socket, 'e')), [91, 93, 95, 97])
    assert.deepEqual(ids(await batch(socket, 'e')), [99])
    socket.close()
  })

  test('those with equal values and cursors share a statement, which each leaves with its cursor', async () => {
    const query =
      'subscription ($from: bigint!) { event_stream(batch_size: 50, cursor: {initial_value: {id: $from}}) { id } }'
    const sockets = await Promise.all([0, 0, 50, 100].map(() => open()))
    for (const [i, from] of [0, 0, 50, 100].entries()) subscribe(sockets[i] as TestSocket, '1', query, { from })
    const all = await Promise.all(
      [
        [1, 50, 51, 100],
        [1, 50, 51, 100],
        [51, 100],
      ].map(async ([first, last, then, end], i) => {
        const socket = sockets[i] as TestSocket
        assert.deepEqual(ids(await batch(socket)), range(first ?? 0, last ?? 0))
        if (then !== undefined) assert.deepEqual(ids(await batch(socket)), range(then, end ?? 0))
        return true
      }),
    )
    assert.equal(all.length, 3)
    const { body } = await engine.get('/dev/subscriptions')
    const [poller] = body.stream_queries_map
    assert.deepEqual([poller.cohorts, poller.subscribers], [1, 4])
    for (const socket of sockets) socket.close()
  })

  test('null is no value to stream from, and a cursor has one column', async () => {
    const socket = await open()
    const field = '$.selectionSet.event_stream.args'
    const cases = [
      ['batch_size: 1, cursor: []', field, 'one streaming column field is expected'],
      ['batch_size: 1, cursor: [null]', field, 'one streaming column field is expected'],
      ['batch_size: 1, cursor: {initial_value: {}}', field, 'one streaming column field is expected'],
      [
        'batch_size: 1, cursor: {initial_value: {id: 1, part: 2}}',
        field,
        'multiple column cursors are not supported yet',
      ],
      [
        'batch_size: 1, cursor: [{initial_value: {id: 1}}, {initial_value: {part: 1}}]',
        field,
        'multiple column cursors are not supported yet',
      ],
      [
        'batch_size: 1, cursor: {ordering: ASC}',
        `${field}.cursor.initial_value`,
        "missing required field 'initial_value'",
      ],
      ['cursor: {initial_value: {id: 1}}', `${field}.batch_size`, "missing required field 'batch_size'"],
      ['batch_size: -1, cursor: {initial_value: {id: 1}}', `${field}.batch_size`, null],
      ['batch_size: 1, cursor: {initial_value: {id: 1}, other: 1}', `${field}.cursor.other`, null],
      ['batch_size: 1, cursor: {initial_value: {nothing: 1}}', `${field}.cursor.initial_value.nothing`, null],
    ] as const
    for (const [args, path, message] of cases) {
      subscribe(socket, '1', `subscription { event_stream(${args}) { id } }`)
      const { type, payload } = await socket.next()
      assert.equal(type, 'error', args)
      assert.deepEqual(payload[0].extensions, { path, code: 'validation-failed' }, payload[0].message)
      if (message !== null) assert.equal(payload[0].message, message)
      await socket.next()
    }
    subscribe(socket, '2', 'subscription { event_stream(batch_size: 1, cursor: {initial_value: {id: null}}) { id } }')
    await engine.observed('subscriptions-polled', ({ of, sent }) => of === 'stream' && sent === 0)
    socket.send({ id: '2', type: 'complete' })
    socket.send({ type: 'ping' })
    assert.equal((await socket.next()).type, 'pong')
    socket.close()
  })

  test('writers that commit while it streams: each row comes once, in order, whatever metadata does', async () => {
    const sockets = await Promise.all(Array.from({ length: 4 }, () => open()))
    for (const socket of sockets)
      subscribe(
        socket,
        '1',
        'subscription { event_stream(batch_size: 7, cursor: {initial_value: {id: 1000}}, where: {kind: {_eq: "new"}}) { id } }',
      )
    const writing = (async () => {
      for (let id = 1001; id <= 1200; id += 4) {
        await client.query(`INSERT INTO event (id, kind) SELECT n, 'new' FROM generate_series(${id}, ${id + 3}) n`)
        if (id % 40 === 1)
          await engine.metadata('pg_set_table_customization', {
            table: { schema: 'public', name: 'event' },
            configuration: { comment: `${id}` },
          })
      }
    })()
    await Promise.all(
      sockets.map(async (socket) => {
        const seen: number[] = []
        while (seen.length < 200) seen.push(...ids(await batch(socket)))
        assert.deepEqual(seen, range(1001, 1200))
      }),
    )
    await writing
    for (const socket of sockets) socket.close()
  })

  test('a client that reads nothing delays no other, and loses nothing', async () => {
    await client.query(`CREATE TABLE large (id integer PRIMARY KEY, text text);
      INSERT INTO large SELECT n, repeat('x', 100000) FROM generate_series(1, 200) n`)
    await engine.metadata('pg_track_table', { table: { schema: 'public', name: 'large' } })
    const query = 'subscription { large_stream(batch_size: 10, cursor: {initial_value: {id: 0}}) { id text } }'
    const [slow, quick] = [await open(), await open()]
    slow.socket.pause()
    for (const socket of [slow, quick]) subscribe(socket, '1', query)
    const all = async (socket: TestSocket) => {
      const seen: number[] = []
      while (seen.length < 200) seen.push(...ids(await batch(socket, 'large_stream')))
      return seen
    }
    assert.deepEqual(await all(quick), range(1, 200))
    slow.socket.resume()
    assert.deepEqual(await all(slow), range(1, 200))
    for (const socket of [slow, quick]) socket.close()
  })
})

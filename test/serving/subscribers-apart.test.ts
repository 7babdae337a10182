/**
 * Two sessions never share an answer, sockets leave nothing behind, and slow clients harm no other (issue 16, safety).
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { isKeepAlive, openSocket, type TestSocket } from '../websocket-client.ts'

const table = { schema: 'public', name: 'note' }
const owners = 6

describe('subscribers', () => {
  let database: TestDatabase
  let engine: Engine
  let client: pg.Client
  let secret: Readonly<Record<string, string>>
  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    client.on('error', () => {})
    await client.connect()
    await client.query(`CREATE TABLE note (id integer PRIMARY KEY, owner text, team text, text text);
      INSERT INTO note SELECT n, 'owner' || n % ${owners}, 'team' || n % 2, 'start' FROM generate_series(1, 60) n`)
    engine = await startEngine({
      databaseUrl: database.url,
      env: {
        SVC_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: '10',
        SVC_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: '10',
        SVC_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_BATCH_SIZE: '4',
        SVC_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_BATCH_SIZE: '4',
        SVC_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE: 'false',
        SVC_GRAPHQL_ENABLED_APIS: 'graphql,metadata,developer',
        SVC_GRAPHQL_SERVER_TIMEOUT: '1',
      },
    })
    secret = { 'x-svc-admin-secret': engine.secret }
    const permission = (role: string, filter: object) => ({
      type: 'pg_create_select_permission',
      args: { table, role, permission: { columns: '*', filter } },
    })
    const { status, text } = await engine.metadata('bulk', [
      { type: 'pg_track_table', args: { table } },
      permission('owner', { owner: { _eq: 'X-Svc-Owner' } }),
      permission('team', { team: { _eq: 'X-Svc-Team' } }),
    ])
    assert.equal(status, 200, text)
  })
  after(async () => {
    await client.end()
    await engine.stop()
    await database.drop()
  })

  const queries = [
    'subscription { note(order_by: {id: asc}) { owner team text } }',
    'subscription ($least: Int!) { note(where: {id: {_gte: $least}}, order_by: {id: desc}, limit: 7) { owner team text } }',
    'subscription { note_stream(batch_size: 3, cursor: {initial_value: {id: 0}}) { owner team text } }',
  ]

  test('each sees its own rows only, over both protocols, live and streaming, while metadata and rows change and connections are lost', async () => {
    const sessions = [
      ...Array.from({ length: owners }, (_, i) => ({
        role: 'owner',
        'x-svc-owner': `owner${i}`,
        'x-svc-team': 'team0',
      })),
      { role: 'team', 'x-svc-team': 'team0', 'x-svc-owner': 'owner1' },
      { role: 'team', 'x-svc-team': 'team1', 'x-svc-owner': 'owner0' },
    ]
    let answers = 0
    const wrong: string[] = []
    const sockets: TestSocket[] = []
    for (const [i, { role, ...variables }] of sessions.entries())
      for (const protocol of ['graphql-ws', 'graphql-transport-ws']) {
        const socket = await openSocket(engine, { protocol, init: { ...secret, 'x-svc-role': role, ...variables } })
        sockets.push(socket)
        const [column, mine] =
          role === 'owner' ? ['owner', variables['x-svc-owner']] : ['team', variables['x-svc-team']]
        socket.socket.on('message', (data) => {
          const { payload, type } = JSON.parse(String(data))
          if (type !== 'data' && type !== 'next') return
          // a poll may have met a lost connection
          if (payload.errors) return
          const [rows] = Object.values(payload.data) as [readonly Record<string, string>[]]
          answers += rows.length > 0 ? 1 : 0
          if (!rows.every((row) => row[column ?? ''] === mine)) wrong.push(`${role} ${mine}: ${JSON.stringify(rows)}`)
        })
        for (const [q, query] of queries.entries())
          socket.send({ id: `${i}.${q}`, type: 'start', payload: { query, variables: q === 1 ? { least: i } : {} } })
      }
    for (let round = 0; round < 30; round++) {
      const before = answers
      await client.query(
        `UPDATE note SET text = $1, owner = 'owner' || (id + $2) % ${owners}, team = 'team' || (id + $2) % 2`,
        [`round ${round}`, round],
      )
      if (round % 5 === 1)
        await engine.metadata('pg_set_table_customization', { table, configuration: { comment: `round ${round}` } })
      if (round % 10 === 5)
        await client.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE $1',
          ['%svc.members%'],
        )
      while (answers < before + sessions.length) await new Promise((resolve) => setImmediate(resolve))
    }
    assert.deepEqual(wrong, [])
    for (const { socket } of sockets) socket.terminate()
  })

  test('a thousand connects and disconnects leave no handle, no poller, no backend and no memory', async () => {
    const descriptors = () => readdirSync(`/proc/${engine.pid}/fd`).length
    const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${engine.pid}/status`, 'utf8'))?.[1]) / 1024
    const backends = async () =>
      Number(
        (
          await client.query(
            'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state IS NOT NULL',
          )
        ).rows[0].count,
      )
    const connect = async (i: number) => {
      const init = { ...secret, 'x-svc-role': 'owner', 'x-svc-owner': `owner${i % owners}` }
      const socket = await openSocket(engine, { protocol: i % 2 === 0 ? 'graphql-ws' : 'graphql-transport-ws', init })
      socket.send({
        id: '1',
        type: 'start',
        payload: { query: queries[i % 3], variables: i % 3 === 1 ? { least: i } : {} },
      })
      await socket.next()
      if (i % 3 === 0) socket.socket.terminate()
      else socket.close()
      await socket.closed
    }
    const round = async (count: number) => {
      for (let i = 0; i < count; i += 20) await Promise.all(Array.from({ length: 20 }, (_, n) => connect(i + n)))
      for (let left = 1; left > 0; ) {
        const { body } = await engine.get('/dev/subscriptions')
        left = body.live_queries_map.length + body.stream_queries_map.length
      }
    }
    await round(200)
    const [handles, memory] = [descriptors(), resident()]
    await round(1000)
    while (descriptors() > handles + 2) await engine.get('/healthz')
    assert.ok((await backends()) <= 52, `${await backends()} backends`)
    assert.ok(resident() < memory + 60, `${memory} MB before, ${resident()} MB after`)
  })

  test('a live query skips what a slow client would not see, and ends with the latest', async () => {
    const socket = await openSocket(engine, { protocol: 'graphql-transport-ws', init: secret })
    socket.send({
      id: '1',
      type: 'subscribe',
      payload: { query: 'subscription { note(order_by: {id: asc}) { id text } }' },
    })
    await socket.next()
    socket.socket.pause()
    const large = 'x'.repeat(20_000)
    for (let i = 0; i < 20; i++) {
      await client.query('UPDATE note SET text = $1', [`${i} ${large}`])
      await engine.observed('subscriptions-polled', ({ of }) => of === 'live')
    }
    socket.socket.resume()
    let messages = 0
    for (let text = ''; !text.startsWith('19 '); messages++) text = (await socket.next()).payload.data.note[0].text
    assert.ok(messages < 20, `${messages} messages`)
    socket.close()
  })

  test('a client that takes nothing for too long is disconnected, with a reason in the log', async () => {
    const socket = await openSocket(engine, { protocol: 'graphql-transport-ws', init: secret })
    const text = 'y'.repeat(60_000)
    await client.query('UPDATE note SET text = $1', [text])
    socket.socket.pause()
    for (let i = 0; i < 20; i++)
      socket.send({ id: `${i}`, type: 'subscribe', payload: { query: `subscription { a${i}: note { id text } }` } })
    const gone = await engine.observed('websocket', ({ event }) => event.kind === 'error')
    assert.match(gone.event.kind === 'error' ? gone.event.message : '', /does not take what it is sent/)
    await engine.observed(
      'websocket',
      ({ event, websocketId }) => event.kind === 'closed' && websocketId === gone.websocketId,
    )
    socket.socket.terminate()
    assert.ok(!socket.all.every(isKeepAlive))
  })
})

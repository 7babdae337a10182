import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { startEngine } from '../engine.ts'
import { isPgBouncerInstalled, startPgBouncer } from '../pgbouncer.ts'
import { createTestDatabase } from '../postgres.ts'
import { openSocket } from '../websocket-client.ts'
import { startLoadBalancer } from './load-balancer.ts'

test('two engines behind a load balancer and a pooler serve as one, also while they are replaced one after the other', {
  skip: !isPgBouncerInstalled,
}, async (t) => {
  // docs/operations.md, "Several instances": metadata directly, the source by way of PgBouncer
  const [metadata, data] = [await createTestDatabase(t), await createTestDatabase(t)]
  const client = new pg.Client({ connectionString: data.url })
  // a failed assertion leaves it open
  client.on('error', () => {})
  await client.connect()
  await client.query('CREATE TABLE artist (id integer PRIMARY KEY); INSERT INTO artist VALUES (1)')
  const pooler = await startPgBouncer(data.url, 5, t)
  const env = { SVC_GRAPHQL_METADATA_DATABASE_URL: metadata.url, SVC_GRAPHQL_USE_PREPARED_STATEMENTS: 'false' }
  const start = () => startEngine({ databaseUrl: pooler.url, env }, t)
  const [first, second] = [await start(), await start()]
  const balancer = await startLoadBalancer([first.url, second.url])
  t.after(async () => balancer.close())
  const send = async (path: string, body: unknown) => {
    const response = await fetch(balancer.url + path, {
      method: 'POST',
      headers: { 'x-svc-admin-secret': first.secret, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const ask = () => send('/v1/graphql', { query: '{ artist { id } }' })

  const tracked = await send('/v1/metadata', { type: 'pg_track_table', args: { table: 'artist' } })
  assert.equal(tracked.status, 200)
  // the one that did not get the change; the other never sees another's
  await Promise.any([first, second].map((engine) => engine.observed('metadata-synchronised')))
  for (const _ of [1, 2, 3, 4]) assert.deepEqual((await ask()).body, { data: { artist: [{ id: 1 }] } })

  const socket = await openSocket(balancer, {
    protocol: 'graphql-transport-ws',
    init: { 'x-svc-admin-secret': first.secret },
  })
  socket.send({ id: '1', type: 'subscribe', payload: { query: 'subscription { artist { id } }' } })
  assert.deepEqual((await socket.next()).payload, { data: { artist: [{ id: 1 }] } })
  await client.query('INSERT INTO artist VALUES (2)')
  assert.deepEqual((await socket.next()).payload, { data: { artist: [{ id: 1 }, { id: 2 }] } })

  await client.end()

  // a rolling replacement under load
  let stopped = false
  const answers: unknown[] = []
  const load = Promise.all(
    [1, 2, 3, 4].map(async () => {
      while (!stopped) answers.push((await ask()).body.data ?? 'failed')
    }),
  )
  const third = await start()
  balancer.engines = [second.url, third.url]
  await first.stop()
  const fourth = await start()
  balancer.engines = [third.url, fourth.url]
  await second.stop()
  stopped = true
  await load
  assert.ok(answers.length > 20)
  assert.deepEqual(
    new Set(answers.map((answer) => JSON.stringify(answer))),
    new Set(['{"artist":[{"id":1},{"id":2}]}']),
  )
  assert.equal((await socket.closed).code, 1012)
})

/**
 * Asynchronous actions over several processes: each handler is called once, whatever dies
 * (reference/actions#asynchronous-actions).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { openSocket } from '../websocket-client.ts'
import { startHandlers } from './action-handlers.ts'
import { killBetweenCalls } from './async-action-kills.ts'

const interval = { SVC_GRAPHQL_ASYNC_ACTIONS_FETCH_INTERVAL: '20' }

async function createJob(engine: Engine, url: string): Promise<void> {
  const definition = {
    kind: 'asynchronous',
    handler: `${url}/job`,
    arguments: [{ name: 'n', type: 'Int!' }],
    output_type: 'Int',
    timeout: 1,
  }
  const made = await engine.metadata('create_action', { name: 'job', definition })
  assert.equal(made.status, 200, made.text)
}

const enqueue = async (engine: Engine, n: number): Promise<string> => {
  const { body, text } = await engine.post('/v1/graphql', { query: `mutation { job(n: ${n}) }` })
  assert.ok(body.data?.job, text)
  return body.data.job
}

test('two processes share the calls and none is made twice', async (t) => {
  const handlers = await startHandlers()
  t.after(() => handlers.close())
  handlers.on('/job', ({ body }) => ({ json: body.input.n }))
  const { url: databaseUrl } = await createTestDatabase(t)
  const one = await startEngine({ databaseUrl, env: interval }, t)
  await createJob(one, handlers.url)
  const two = await startEngine({ databaseUrl, env: interval }, t)
  const ids = await Promise.all(Array.from({ length: 100 }, (_, n) => enqueue(n % 2 === 0 ? one : two, n)))
  const left = new Set(ids)
  const wait = async (engine: Engine) => {
    while (left.size > 0) left.delete((await engine.observed('action-finished')).id)
  }
  await Promise.race([wait(one), wait(two)])
  assert.deepEqual(
    handlers.asked.map(({ body }) => body.input.n).sort((a, b) => a - b),
    Array.from({ length: 100 }, (_, n) => n),
  )
  const { body } = await two.post('/v1/graphql', { query: `{ job(id: "${ids[42]}") { output } }` })
  assert.deepEqual(body, { data: { job: { output: 42 } } })
})

test('a call that a kill interrupted is not made again, and says so', async (t) => {
  const handlers = await startHandlers()
  t.after(() => handlers.close())
  const { url: databaseUrl } = await createTestDatabase(t)
  const killed = await startEngine({ databaseUrl, env: interval }, t)
  await createJob(killed, handlers.url)
  const called = new Promise<void>((resolve) =>
    handlers.on('/job', () => {
      resolve()
      return new Promise(() => {})
    }),
  )
  const id = await enqueue(killed, 1)
  await called
  killed.kill('SIGKILL')
  await killed.ended
  // its time is over, as it would be in half a minute
  await runOnDatabase(databaseUrl, 'UPDATE svc_catalog.svc_action_log SET deadline = now()')
  const next = await startEngine({ databaseUrl, env: interval }, t)
  assert.deepEqual(await next.observed('action-interrupted'), { kind: 'action-interrupted', id, action: 'job' })
  const { body } = await next.post('/v1/graphql', { query: `{ job(id: "${id}") { output errors } }` })
  assert.equal(body.data.job.output, null)
  assert.match(body.data.job.errors.error, /the engine ended while the handler was called/)
  assert.equal(handlers.asked.length, 1)
})

test('whatever is killed, a handler is called at most once, and each call comes to an end', async () => {
  const { answered, interrupted, kills } = await killBetweenCalls(150, 3)
  assert.deepEqual([answered + interrupted, kills], [150, 3])
})

test('a subscription shows a result when it is there, and ends', async (t) => {
  const handlers = await startHandlers()
  t.after(() => handlers.close())
  const { url: databaseUrl } = await createTestDatabase(t)
  const engine = await startEngine({ databaseUrl, env: interval }, t)
  await createJob(engine, handlers.url)
  let answer = (): void => {}
  const called = new Promise<void>((resolve) =>
    handlers.on('/job', () => {
      resolve()
      return new Promise((reply) => {
        answer = () => reply({ json: 5 })
      })
    }),
  )
  const id = await enqueue(engine, 1)
  const socket = await openSocket(engine, {
    protocol: 'graphql-transport-ws',
    init: { 'x-svc-admin-secret': engine.secret },
  })
  t.after(async () => socket.socket.terminate())
  const query = `subscription ($id: uuid!) { job(id: $id) { result: output errors } }`
  socket.send({ id: '1', type: 'subscribe', payload: { query, variables: { id } } })
  assert.deepEqual(await socket.next(), {
    id: '1',
    type: 'next',
    payload: { data: { job: { result: null, errors: null } } },
  })
  await called
  answer()
  assert.deepEqual(await socket.next(), {
    id: '1',
    type: 'next',
    payload: { data: { job: { result: 5, errors: null } } },
  })
  assert.deepEqual(await socket.next(), { id: '1', type: 'complete' })
  socket.send({ id: '2', type: 'subscribe', payload: { query, variables: { id } } })
  assert.deepEqual((await socket.next()).payload.data.job, { result: 5, errors: null })
  assert.deepEqual(await socket.next(), { id: '2', type: 'complete' })
  socket.send({
    id: '3',
    type: 'subscribe',
    payload: { query: 'subscription { a: job(id: 1) { id } b: job(id: 1) { id } }' },
  })
  assert.match(JSON.stringify(await socket.next()), /subscriptions must select one top level field/)
})

test('what waits to be called is stored without the admin secret', async (t) => {
  const handlers = await startHandlers()
  t.after(() => handlers.close())
  handlers.on('/job', ({ body }) => ({ json: body.input.n }))
  const engine = await startEngine({ env: interval }, t)
  await createJob(engine, handlers.url)
  const asked = { query: 'mutation { job(n: 1) }' }
  const headers = { 'X-Svc-Access-Key': engine.secret, 'X-Other': 'kept' }
  assert.equal((await engine.post('/v1/graphql', asked, headers)).status, 200)
  const rows = await runOnDatabase(
    engine.databaseUrl,
    'SELECT request_headers AS headers FROM svc_catalog.svc_action_log',
  )
  const [{ headers: stored }] = rows as [{ headers: Record<string, string> }]
  assert.equal(stored['x-other'], 'kept')
  assert.equal(JSON.stringify(stored).includes(engine.secret), false)
})

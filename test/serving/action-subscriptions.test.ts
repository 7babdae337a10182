/**
 * Results of asynchronous actions as subscriptions (reference/subscriptions#which-are-valid,
 * reference/websockets#rules-of-operations).
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { openSocket } from '../websocket-client.ts'

test('the result of an asynchronous action is subscribed to; a query action is not', async (t) => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const handler = createServer(async (_request, response) => {
    await answered
    response.end('{"id": 7}')
  }).listen(0, '127.0.0.1')
  await once(handler, 'listening')
  t.after(async () => void handler.close())
  const engine = await startEngine(
    {
      env: {
        HANDLER: `http://127.0.0.1:${(handler.address() as AddressInfo).port}`,
        SVC_GRAPHQL_ASYNC_ACTIONS_FETCH_INTERVAL: '20',
        SVC_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: '20',
      },
    },
    t,
  )
  const action = (name: string, more: object) => ({
    type: 'create_action',
    args: { name, definition: { output_type: 'Made', handler: '{{HANDLER}}', ...more } },
  })
  const { status, text } = await engine.metadata('bulk', [
    { type: 'set_custom_types', args: { objects: [{ name: 'Made', fields: [{ name: 'id', type: 'Int!' }] }] } },
    action('later', { kind: 'asynchronous' }),
    action('now', { type: 'query' }),
  ])
  assert.equal(status, 200, text)
  const { body } = await engine.post('/v1/graphql', { query: 'mutation { later }' })
  const socket = await openSocket(engine, { init: { 'x-svc-admin-secret': engine.secret } })
  const query = 'subscription ($id: uuid!) { later(id: $id) { errors output { id } } }'
  socket.send({ id: '1', type: 'start', payload: { query, variables: { id: body.data.later } } })
  assert.deepEqual((await socket.next()).payload.data, { later: { errors: null, output: null } })
  answer()
  assert.deepEqual((await socket.next()).payload.data, { later: { errors: null, output: { id: 7 } } })
  assert.deepEqual(await socket.next(), { type: 'complete', id: '1' })
  socket.send({ id: '2', type: 'start', payload: { query: 'subscription { now { id } }' } })
  const refused = await socket.next()
  assert.equal(refused.payload.errors[0].message, 'query actions cannot be run as a subscription')
  assert.equal(refused.payload.errors[0].extensions.code, 'not-supported')
  // over HTTP it is what it was
  const post = await engine.post('/v1/graphql', { query, variables: { id: body.data.later } })
  assert.equal(post.body.errors[0].extensions.code, 'unexpected-payload')
  socket.close()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSocket } from '../websocket-client.ts'
import { runWebsocketFuzz } from './run-websocket-fuzz.ts'
import { startWebsocketEngine } from './websocket-database.ts'

test('mutated messages and frames over websockets break nothing, nor anybody else', async (t) => {
  const { engine, database } = await startWebsocketEngine()
  t.after(async () => {
    await engine.stop()
    await database.drop()
  })
  const bystander = await openSocket(engine, { init: { 'x-svc-admin-secret': engine.secret } })
  bystander.send({
    id: '1',
    type: 'start',
    payload: { query: 'subscription { note_aggregate { aggregate { count } } }' },
  })
  await bystander.next()
  const { sent, answered, found } = await runWebsocketFuzz(engine, { seed: 1, count: 1000 })
  assert.equal(found, null)
  assert.ok(answered > 15, `${answered} answered of ${sent}`)
  await engine.post('/v2/query', { type: 'run_sql', args: { sql: 'INSERT INTO note VALUES (11)' } })
  assert.deepEqual((await bystander.next()).payload.data, { note_aggregate: { aggregate: { count: 11 } } })
  bystander.close()
})

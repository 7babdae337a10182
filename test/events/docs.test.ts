/** The examples of docs/event-triggers.md and docs/schedules.md, put to the real engine. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startReceiver } from './receiver.ts'

const examples = (page: string) =>
  [...readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8').matchAll(/```json\n(.*?)```/gs)].map(
    ([, text]) => JSON.parse(text ?? ''),
  )

test('the examples of the documentation do what they say', async (t) => {
  const { url } = await createTestDatabase(t)
  const receiver = await startReceiver(t)
  const env = { WEBHOOK_BASE: receiver.url, WEBHOOK_TOKEN: 'secret' }
  const engine = await startEngine({ databaseUrl: url, env }, t)
  const send = async (path: string, body: object) => {
    const answer = await engine.post(path, body)
    assert.equal(answer.status, 200, answer.text)
  }
  const [trigger, payload, cleanup_config] = examples('event-triggers.md')
  const sql = (text: string) => send('/v2/query', { type: 'run_sql', args: { sql: text } })
  await sql('CREATE TABLE orders (id int PRIMARY KEY, status text)')
  await engine.metadata('pg_track_table', { table: 'orders' })
  await send('/v1/metadata', trigger)
  await sql(`INSERT INTO orders VALUES (1, 'new')`)
  const received = await receiver.next()
  assert.equal(received.headers.authorization, 'secret')
  assert.deepEqual(Object.keys(received.body), Object.keys(payload))
  assert.deepEqual(received.body.event.data, payload.event.data)
  assert.deepEqual(received.body.delivery_info, payload.delivery_info)
  await send('/v1/metadata', { ...trigger, args: { ...trigger.args, replace: true, cleanup_config } })
  for (const example of examples('schedules.md')) await send('/v1/metadata', example)
})

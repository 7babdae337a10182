/**
 * Cron triggers and one-off events from their time to a webhook, with the real engine (reference/scheduled-triggers).
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { type Receiver, startReceiver } from './receiver.ts'

let engine: Engine
let receiver: Receiver

const ok = async (type: string, args: unknown) => {
  const answer = await engine.metadata(type, args)
  assert.equal(answer.status, 200, `${type}: ${answer.text}`)
  return answer.body
}

const refused = async (type: string, args: unknown) => {
  const { status, body } = await engine.metadata(type, args)
  assert.notEqual(status, 200)
  return { status, code: body.code, path: body.path }
}

const sql = async (text: string): Promise<string[][]> => {
  const { status, body, text: shown } = await engine.post('/v2/query', { type: 'run_sql', args: { sql: text } })
  assert.equal(status, 200, shown)
  return (body.result ?? []).slice(1)
}

const cron = { webhook: '{{WEBHOOK_BASE}}/cron', schedule: '0 0 1 1 *', include_in_metadata: true }

/** Makes the next event of a trigger due, so many seconds ago. */
const makeDue = (name: string, seconds = 0) =>
  sql(`UPDATE svc_catalog.svc_cron_events SET scheduled_time = now() - interval '${seconds} seconds'
    WHERE id = (SELECT id FROM svc_catalog.svc_cron_events WHERE trigger_name = '${name}' AND status = 'scheduled'
      ORDER BY scheduled_time LIMIT 1)`)

before(async () => {
  const { url } = await createTestDatabase()
  receiver = await startReceiver()
  engine = await startEngine({ databaseUrl: url, env: { WEBHOOK_BASE: receiver.url } })
})
after(async () => {
  await engine.stop()
  await receiver.close()
})

test('a cron trigger has its next hundred events at once, and none of them when it is gone', async () => {
  await ok('create_cron_trigger', { name: 'minutely', ...cron, schedule: '* * * * *' })
  const times = await sql(`SELECT extract(epoch FROM scheduled_time)::bigint FROM svc_catalog.svc_cron_events
    WHERE trigger_name = 'minutely' ORDER BY 1`)
  assert.equal(times.length, 100)
  const [first] = times[0] ?? []
  assert.ok(Number(first) * 1000 > Date.now() - 60_000 && Number(first) % 60 === 0)
  assert.equal(Number(times[99]?.[0]) - Number(first), 99 * 60)
  await ok('create_cron_trigger', { name: 'minutely', ...cron, schedule: '@Daily', replace: true })
  const { cron_triggers } = await ok('get_cron_triggers', {})
  assert.deepEqual(cron_triggers, [
    {
      name: 'minutely',
      webhook: cron.webhook,
      schedule: '0 0 * * *',
      include_in_metadata: true,
      headers: [],
      retry_conf: { num_retries: 0, retry_interval_seconds: 10, timeout_seconds: 60, tolerance_seconds: 21600 },
    },
  ])
  const { events, count } = await ok('get_scheduled_events', {
    type: 'cron',
    trigger_name: 'minutely',
    limit: 2,
    get_rows_count: true,
  })
  assert.equal(count, 100)
  assert.match(events[0].scheduled_time, /T00:00:00Z$/)
  assert.deepEqual(Object.keys(events[0]), [
    'id',
    'trigger_name',
    'scheduled_time',
    'status',
    'tries',
    'created_at',
    'next_retry_at',
  ])
  await ok('delete_cron_trigger', { name: 'minutely' })
  assert.deepEqual(await sql('SELECT count(*) FROM svc_catalog.svc_cron_events'), [['0']])
})

test('an event of a cron trigger is delivered when it is due, and the answer kept', async () => {
  await ok('create_cron_trigger', {
    name: 'yearly',
    ...cron,
    payload: { a: 1 },
    comment: 'once a year',
    headers: [{ name: 'X-A', value: 'b' }],
  })
  await makeDue('yearly')
  const { body, headers, path } = await receiver.next()
  assert.equal(path, '/cron')
  assert.equal(headers['x-a'], 'b')
  const { id, scheduled_time } = body
  assert.deepEqual(body, { id, scheduled_time, name: 'yearly', payload: { a: 1 }, comment: 'once a year' })
  assert.match(scheduled_time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  const { invocations } = await until(
    () => ok('get_scheduled_event_invocations', { type: 'cron', trigger_name: 'yearly' }),
    (found) => found.invocations.length > 0,
  )
  assert.equal(invocations[0].status, 200)
  assert.equal(invocations[0].event_id, id)
  assert.deepEqual(invocations[0].request.payload, body)
  assert.equal(invocations[0].request.version, '1')
  const { events } = await ok('get_scheduled_events', { type: 'cron', trigger_name: 'yearly', status: ['delivered'] })
  assert.deepEqual([events[0].id, events[0].tries], [id, 1])
})

test('what failed is tried again; what is too late is dead', async () => {
  receiver.answer(() => ({ status: 503, body: 'no' }))
  const retry_conf = { num_retries: 1, retry_interval_seconds: 0, tolerance_seconds: 100 }
  await ok('create_cron_trigger', { name: 'failing', ...cron, retry_conf })
  await makeDue('failing', 10)
  const [first, second] = [await receiver.next(), await receiver.next()]
  assert.equal(first.body.id, second.body.id)
  const status = (name: string, one: string) => () =>
    ok('get_scheduled_events', { type: 'cron', trigger_name: name, status: [one] })
  const failed = await until(status('failing', 'error'), ({ events }) => events.length > 0)
  assert.equal(failed.events[0].tries, 2)
  const { invocations } = await ok('get_scheduled_event_invocations', { type: 'cron', event_id: first.body.id })
  assert.deepEqual(invocations[0].response, { type: 'client_error', version: '1', data: { message: 'no' } })
  await makeDue('failing', 101)
  const dead = await until(status('failing', 'dead'), ({ events }) => events.length > 0)
  assert.equal(dead.events[0].tries, 0)
  receiver.answer(() => ({ status: 200 }))
})

test('a one-off event is delivered at its time, exactly as it was given', async () => {
  const body = `{"type":"create_scheduled_event","args":{"webhook":"{{WEBHOOK_BASE}}/once","schedule_at":"2020-01-01T00:00:00Z","payload":{"big":12345678901234567890},"comment":"c","retry_conf":{"tolerance_seconds":1000000000}}}`
  const { body: answer, status } = await engine.send('POST', '/v1/metadata', body)
  assert.equal(status, 200)
  assert.equal(answer.message, 'success')
  const sent = await receiver.next()
  assert.equal(sent.path, '/once')
  assert.deepEqual(Object.keys(sent.body), ['id', 'scheduled_time', 'created_at', 'payload', 'comment'])
  assert.equal(sent.body.id, answer.event_id)
  assert.equal(sent.body.scheduled_time, '2020-01-01T00:00:00Z')
  assert.match(sent.text, /"big": ?12345678901234567890/)
  const events = await until(
    () => ok('get_scheduled_events', { type: 'one_off' }),
    (found) => found.events[0]?.status === 'delivered',
  )
  assert.deepEqual(events.events[0].webhook_conf, '{{WEBHOOK_BASE}}/once')
  assert.equal(events.events[0].request_transform, null)
  await ok('delete_scheduled_event', { type: 'one_off', event_id: answer.event_id })
  await ok('delete_scheduled_event', { type: 'one_off', event_id: 'none' })
  assert.deepEqual((await ok('get_scheduled_events', { type: 'one_off' })).events, [])
})

test('a one-off event whose environment lacks a variable fails with a log of it', async () => {
  const { event_id } = await ok('create_scheduled_event', {
    webhook: '{{NO_SUCH_VARIABLE}}',
    schedule_at: new Date().toISOString(),
  })
  const { invocations } = await until(
    () => ok('get_scheduled_event_invocations', { type: 'one_off', event_id }),
    (found) => found.invocations.length > 0,
  )
  assert.equal(invocations[0].status, 500)
  assert.deepEqual(invocations[0].request.payload, {
    error: 'Error creating the request. The value for environment variables not found: NO_SUCH_VARIABLE',
  })
})

test('transforms rewrite the request, and what is logged of the response', async () => {
  receiver.answer(() => ({ status: 200, body: '{"secret":1,"shown":2}' }))
  await ok('create_cron_trigger', {
    name: 'transformed',
    ...cron,
    payload: { name: 'x' },
    request_transform: {
      version: 2,
      method: 'PUT',
      body: { action: 'transform', template: '{ "hello": {{ $body.payload.name }} }' },
      request_headers: { add_headers: { 'X-New': '{{ $body.name }}' } },
    },
    response_transform: { version: 2, body: { action: 'transform', template: '{ "kept": {{ $body.shown }} }' } },
  })
  await makeDue('transformed')
  const sent = await receiver.next()
  assert.deepEqual([sent.method, sent.body, sent.headers['x-new']], ['PUT', { hello: 'x' }, 'transformed'])
  const { invocations } = await until(
    () => ok('get_scheduled_event_invocations', { type: 'cron', trigger_name: 'transformed' }),
    (found) => found.invocations.length > 0,
  )
  assert.equal(invocations[0].response.data.body, '{"kept":2}')
  receiver.answer(() => ({ status: 200 }))
})

test('a trigger that is no part of metadata is separate', async () => {
  await ok('create_cron_trigger', { name: 'hidden', ...cron, include_in_metadata: false })
  const exported = await ok('export_metadata', {})
  assert.equal(
    exported.cron_triggers.some(({ name }: { name: string }) => name === 'hidden'),
    false,
  )
  await ok('replace_metadata', { ...exported, cron_triggers: [] })
  const names = async () => (await ok('get_cron_triggers', {})).cron_triggers.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names(), ['hidden'])
  const clashing = { ...exported, cron_triggers: [{ name: 'hidden', ...cron }] }
  assert.equal((await refused('replace_metadata', clashing)).code, 'already-exists')
  await ok('clear_metadata', {})
  assert.deepEqual(await names(), [])
})

test('what cannot be is refused at its place', async () => {
  const create = (args: object) => refused('create_cron_trigger', { name: 'x', ...cron, ...args })
  assert.deepEqual(await create({ schedule: '* * * *' }), {
    status: 400,
    code: 'parse-failed',
    path: '$.args.schedule',
  })
  assert.deepEqual(await create({ schedule: '0 0 31 2 *' }), {
    status: 400,
    code: 'parse-failed',
    path: '$.args.schedule',
  })
  assert.deepEqual(await create({ retry_conf: { num_retries: -1 } }), {
    status: 400,
    code: 'parse-failed',
    path: '$.args.retry_conf.num_retries',
  })
  assert.deepEqual(await create({ include_in_metadata: undefined }), {
    status: 400,
    code: 'parse-failed',
    path: '$.args',
  })
  assert.deepEqual(await create({ replace: true }), { status: 400, code: 'not-exists', path: '$.args' })
  assert.deepEqual(await refused('delete_cron_trigger', { name: 'x' }), {
    status: 400,
    code: 'not-exists',
    path: '$.args',
  })
  assert.equal((await refused('get_scheduled_events', { type: 'cron' })).code, 'parse-failed')
  assert.equal((await refused('get_scheduled_events', { type: 'cron', trigger_name: 'x' })).code, 'not-exists')
  const order_by = [{ column: 'scheduled_time; drop table x' }]
  assert.equal((await refused('get_scheduled_events', { type: 'one_off', order_by })).code, 'parse-failed')
  const at = { webhook: 'http://x', schedule_at: '2020-01-01' }
  assert.equal((await refused('create_scheduled_event', at)).code, 'parse-failed')
})

/** Asks until the answer fits. */
async function until<T>(ask: () => Promise<T>, fits: (answer: T) => unknown): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (fits(answer)) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** One-off events: found by the id the engine has for them, never sent twice by a plan that does not say so. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Provider, Values } from '../../provider/src/core/index.ts'
import { type Engine, startEngine } from '../engine.ts'
import { newRun, plan, shown } from './deploy.ts'

const kind = 'ScheduledEvent'
const later = '2090-01-01T09:00:00Z'
const receiver = createServer((request, response) => {
  request.resume()
  response.end('{}')
})
let engine: Engine
let webhook: string
before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/remind`
  engine = await startEngine({ env: { SVC_TEST_OTHER_URL: webhook } })
})
after(async () => {
  await engine.stop()
  receiver.close()
})

const remind = (more: Values = {}): Values => ({ webhook, schedule_at: later, ...more })

async function applied(run: Provider, prior: Values | null, config: Values | null): Promise<Values | null> {
  const { planned, diagnostics } = await plan(run, kind, prior, config)
  assert.deepEqual(
    diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  )
  const done = await run.apply({ kind, prior, planned, config })
  assert.deepEqual(done.diagnostics, [])
  return done.state
}

async function made(config: Values): Promise<Values> {
  const state = await applied(newRun(engine), null, config)
  assert.ok(state)
  return state
}

const events = async (): Promise<readonly { readonly id: string; readonly status: string }[]> =>
  (await engine.metadata('get_scheduled_events', { type: 'one_off' })).body.events

const unchanged = async (state: Values | null, config: Values) => {
  assert.ok(state)
  const { planned, changed, diagnostics } = await plan(newRun(engine), kind, state, config)
  assert.deepEqual([changed, diagnostics, planned === state], [[], [], true])
}

/** Made for a time that is past, once it is sent. */
const past = new Date(Date.now() - 60_000).toISOString()
async function delivered(): Promise<Values> {
  const state = await made(remind({ schedule_at: past }))
  await engine.observed('event-attempted')
  for (;;) {
    const found = (await events()).find(({ id }) => id === state.id)
    if (found?.status === 'delivered') return state
  }
}

test('with everything it can have it is read back as it was planned, and imported by its id', async () => {
  const config = remind({
    schedule_at: '2090-01-01 10:00+01',
    payload: '{ "user": 1 }',
    headers: [{ name: 'x-who', value: 'the provider', value_from_env: null }],
    retry_conf: { num_retries: 2, retry_interval_seconds: 5, timeout_seconds: 20, tolerance_seconds: 60 },
    request_transform: { method: 'PUT' },
    response_transform: { body: { template: '{{$body}}' } },
    comment: 'Pay',
  })
  const state = await made(config)
  assert.match(String(state.id), /^[0-9a-f-]{36}$/)
  const read = await newRun(engine).read(kind, state)
  assert.deepEqual(read, { state, diagnostics: [] })
  await unchanged(read.state, config)
  await unchanged(read.state, { ...config, schedule_at: later, payload: '{"user":1}' })
  await unchanged(read.state, { ...config, schedule_at: '2090-01-01T09:00:00' })
  const run = newRun(engine)
  const stub = run.importStub(kind, String(state.id))
  const imported = await run.read(kind, stub.state ?? {})
  assert.equal(imported.state?.comment, 'Pay')
  await unchanged(imported.state, config)
  assert.equal(await applied(newRun(engine), state, null), null)
  assert.deepEqual(await newRun(engine).read(kind, state), { state: null, diagnostics: [] })
})

test('from a variable of the engine, without anything else', async () => {
  const config = { webhook_from_env: 'SVC_TEST_OTHER_URL', schedule_at: later }
  const state = await made(config)
  await unchanged((await newRun(engine).read(kind, state)).state, config)
  // an import is not sent a second time because it spells out what the configuration leaves out
  const run = newRun(engine)
  const imported = await run.read(kind, run.importStub(kind, String(state.id)).state ?? {})
  await unchanged(imported.state, config)
  const spelled = { ...config, schedule_at: '2090-01-01T10:00:00+01:00', retry_conf: { num_retries: 0 } }
  assert.equal((await applied(newRun(engine), imported.state, spelled))?.id, state.id)
  await applied(newRun(engine), state, null)
})

test('another one takes its place, under a new id', async () => {
  const state = await made(remind())
  const { planned, replace, diagnostics } = await plan(newRun(engine), kind, state, remind({ payload: '1' }))
  assert.deepEqual([replace, diagnostics, typeof planned?.id], [[['payload']], [], 'symbol'])
  const now = await applied(newRun(engine), state, remind({ payload: '1' }))
  assert.notEqual(now?.id, state.id)
  assert.deepEqual(
    (await events()).map(({ id }) => id),
    [now?.id],
  )
  await applied(newRun(engine), now, null)
})

test('a plan says that one that was sent is sent again, and that a past time is now', async () => {
  const state = await delivered()
  const config = remind({ schedule_at: past })
  await unchanged((await newRun(engine).read(kind, state)).state, config)
  const { diagnostics } = await plan(newRun(engine), kind, state, { ...config, payload: '1' })
  assert.deepEqual(diagnostics.map(shown), [
    ['warning', `ScheduledEvent ${String(state.id)}: what is sent stays sent`, ''],
  ])
  assert.deepEqual(diagnostics[0]?.detail.split('\n'), [
    'Its time is past: it is sent at once.',
    'The one that is there is over (delivered): another one is sent, and its log goes.',
  ])
  const late = await plan(newRun(engine), kind, null, remind({ schedule_at: '2020-01-01T00:00:00Z' }))
  assert.equal(late.diagnostics[0]?.detail, 'Its time is past by more than its tolerance: it is not sent.')
  await applied(newRun(engine), state, null)
})

test('one that is gone is made again only while its time is to come', async () => {
  const coming = await made(remind())
  const over = await delivered()
  for (const { id } of [coming, over])
    await engine.metadata('delete_scheduled_event', { type: 'one_off', event_id: id })
  assert.deepEqual(await newRun(engine).read(kind, coming), { state: null, diagnostics: [] })
  const kept = await newRun(engine).read(kind, over)
  assert.equal(kept.state, over)
  assert.deepEqual(kept.diagnostics.map(shown), [
    ['warning', `ScheduledEvent ${String(over.id)} is not in the engine any more`, ''],
  ])
})

test('what is wrong is an error of its attribute, before anything is made', async () => {
  const reported = async (more: Values) => (await plan(newRun(engine), kind, null, remind(more))).diagnostics.map(shown)
  const [time] = await reported({ schedule_at: 'tomorrow' })
  assert.deepEqual([time?.[0], time?.[2]], ['error', 'schedule_at'])
  const [template] = await reported({ request_transform: { body: { template: '{{ $body. }}' } } })
  assert.deepEqual([template?.[0], template?.[2]], ['error', 'request_transform.body.template'])
  const [both] = await reported({ webhook_from_env: 'A' })
  assert.deepEqual([both?.[0], both?.[2]], ['error', 'webhook_from_env'])
  assert.deepEqual(await events(), [])
})

test('asked for twice under one id, an event is made once', async () => {
  const args = { webhook, schedule_at: later, event_id: 'once' }
  const answers = [
    await engine.metadata('create_scheduled_event', args),
    await engine.metadata('create_scheduled_event', args),
  ]
  assert.deepEqual(
    answers.map(({ body }) => body),
    [1, 2].map(() => ({ message: 'success', event_id: 'once' })),
  )
  const { body } = await engine.metadata('get_scheduled_events', {
    type: 'one_off',
    event_id: 'once',
    get_rows_count: true,
  })
  assert.deepEqual([body.events.length, body.count], [1, 1])
  await engine.metadata('delete_scheduled_event', { type: 'one_off', event_id: 'once' })
})

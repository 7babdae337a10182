/** What is said of triggers and events that cannot be made: code, path and text (reference/event-triggers#creating-one). */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Engine, startEngine } from '../engine.ts'
import { startReceiver } from './receiver.ts'

let engine: Engine

before(async () => {
  engine = await startEngine({ env: { HOOK: 'http://127.0.0.1:1/hook' } })
  const sql = 'CREATE TABLE city (id int PRIMARY KEY, name text); CREATE TABLE pet (id int, city int REFERENCES city)'
  assert.equal((await engine.post('/v2/query', { type: 'run_sql', args: { sql } })).status, 200)
  for (const table of ['city', 'pet']) assert.equal((await engine.metadata('pg_track_table', { table })).status, 200)
  const pets = { table: 'city', name: 'pets', using: { foreign_key_constraint_on: { table: 'pet', column: 'city' } } }
  assert.equal((await engine.metadata('pg_create_array_relationship', pets)).status, 200)
})
test.after(() => engine.stop())

type Refusal = readonly [args: object, code: string, path: string, error: string]

async function assertRefused(type: string, usual: object, refusals: readonly Refusal[]): Promise<void> {
  for (const [args, ...expected] of refusals) {
    const { status, body } = await engine.metadata(type, { ...usual, ...args })
    assert.deepEqual([status, body.code, body.path, body.error], [400, ...expected], JSON.stringify(args))
  }
}

const environment = 'env variables starting with "SVC_GRAPHQL_" are not allowed in value_from_env: SVC_GRAPHQL_A'

test('arguments of an event trigger', async () => {
  const usual = { name: 't', table: 'city', webhook: 'http://127.0.0.1:1', insert: { columns: '*' } }
  const letters = 'only alphanumeric and underscore and hyphens allowed for name'
  const star = 'only * or [] allowed'
  await assertRefused('pg_create_event_trigger', usual, [
    [{ name: '' }, 'parse-failed', '$.args.name', 'expected a name, encountered an empty string'],
    [{ name: '1' }, 'parse-failed', '$.args', letters],
    [{ name: 'a b' }, 'parse-failed', '$.args', letters],
    [{ name: 'a'.repeat(43) }, 'parse-failed', '$.args', 'event trigger name can be at most 42 characters'],
    [{ insert: { columns: [] } }, 'parse-failed', '$.args', 'found empty column specification'],
    [{ insert: { columns: '*', payload: [] } }, 'parse-failed', '$.args', 'found empty payload specification'],
    [{ insert: { columns: 'name' } }, 'parse-failed', '$.args.insert.columns', star],
    [{ insert: { columns: '*', payload: 'name' } }, 'parse-failed', '$.args.insert.payload', star],
    [{ webhook: undefined }, 'parse-failed', '$.args', 'must provide webhook or webhook_from_env'],
    [{ webhook_from_env: 'A' }, 'parse-failed', '$.args', 'only one of webhook or webhook_from_env should be given'],
    [{ update: { columns: ['none'] } }, 'not-exists', '$.args', 'column "none" does not exist'],
    [
      { update: { columns: ['pets'] } },
      'unexpected-payload',
      '$.args',
      'expecting a database column, but "pets" is another field',
    ],
    [{ headers: [{ name: 'a' }] }, 'parse-failed', '$.args.headers[0]', 'expecting value or value_from_env keys'],
    [
      { headers: [{ name: 'a', value: 'b', value_from_env: 'C' }] },
      'parse-failed',
      '$.args.headers[0]',
      'expecting only one of value or value_from_env keys',
    ],
    [{ headers: [{ name: 'a', value_from_env: 'SVC_GRAPHQL_A' }] }, 'parse-failed', '$.args.headers[0]', environment],
  ])
})

test('a name of 42 characters is one', async () => {
  const name = 'a'.repeat(42)
  const trigger = { name, table: 'city', webhook: 'http://127.0.0.1:1', delete: { columns: '*' } }
  assert.equal((await engine.metadata('pg_create_event_trigger', trigger)).status, 200)
  const status = 'event logs status can only be one of the following: processed or pending'
  await assertRefused('pg_get_event_logs', { name }, [[{ status: 'old' }, 'parse-failed', '$.args.status', status]])
})

test('a document may have a trigger of another name, with a warning; its events are delivered', async (t) => {
  const { body: metadata } = await engine.metadata('export_metadata', {})
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const usual = { name: 'it\'s "odd"', definition: { insert: { columns: '*' } }, webhook: receiver.url }
  const withTrigger = (more: object) => {
    const tables = metadata.sources[0].tables.map((one: { table: { name: string } }) =>
      one.table.name === 'pet' ? { ...one, event_triggers: [{ ...usual, ...more }] } : one,
    )
    return { metadata: { ...metadata, sources: [{ ...metadata.sources[0], tables }] } }
  }
  const replace = (more: object, rules = {}) =>
    engine.metadata('replace_metadata', { ...withTrigger(more), ...rules }, { version: 2 })
  const warning = {
    code: 'illegal-event-trigger-name',
    type: 'event_trigger',
    name: `event_trigger ${usual.name} in table pet in source default`,
    message: `the event trigger name "${usual.name}" may not work as expected: a letter, then letters, digits, underscores and hyphens do`,
  }
  const refused = (await replace({}, { allow_warnings: false })).body
  assert.deepEqual([refused.code, refused.internal], ['metadata-warnings', [warning]])
  assert.equal((await replace({ name: 'a'.repeat(43) })).body.error, 'event trigger name can be at most 42 characters')
  const { status, body } = await replace({})
  assert.deepEqual([status, body.warnings], [200, [warning]])
  await engine.post('/v2/query', { type: 'run_sql', args: { sql: 'INSERT INTO pet VALUES (1, NULL)' } })
  assert.equal((await receiver.next()).body.trigger.name, usual.name)
  assert.equal((await engine.metadata('pg_delete_event_trigger', { name: usual.name })).status, 200)
})

test('a clean-up on demand is reported', async () => {
  const trigger = { name: 'cleaned', table: 'city', webhook: 'http://127.0.0.1:1', enable_manual: true }
  assert.equal((await engine.metadata('pg_create_event_trigger', trigger)).status, 200)
  const asked = { event_trigger_name: 'cleaned', clear_older_than: 1 }
  assert.equal((await engine.metadata('cleanup_event_trigger_logs', asked)).status, 200)
  const { kind: _, ...counts } = await engine.observed('event-logs-cleaned')
  assert.deepEqual(counts, { source: 'default', trigger: 'cleaned', events: 0, invocations: 0 })
})

test('times of a one-off event that no calendar or zone has', async () => {
  const usual = { webhook: 'http://127.0.0.1:1' }
  const times = [
    'tomorrow',
    '2030-01-01',
    '2030-01-01T00:00:00+',
    '2030-02-29T00:00:00Z',
    '2030-04-31T00:00:00Z',
    '2030-13-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '2030-01-01T24:00:01Z',
    '2030-01-01T00:60:00Z',
    '2030-01-01T00:00:00+16:00',
  ]
  const refusals = times.map(
    (schedule_at): Refusal => [
      { schedule_at },
      'parse-failed',
      '$.args.schedule_at',
      'expected a timestamp in ISO 8601',
    ],
  )
  await assertRefused('create_scheduled_event', usual, refusals)
  for (const schedule_at of ['2032-02-29T23:59:59.123456789Z', '2030-01-01 00:00+15:59', '9999-12-31T00:00:00-12'])
    assert.equal((await engine.metadata('create_scheduled_event', { ...usual, schedule_at })).status, 200, schedule_at)
  for (const schedule_at of ['2040-01-01T06:00', '2040-01-01 06:00:00', '2040-01-01T06:00:00 '])
    assert.equal((await engine.metadata('create_scheduled_event', { ...usual, schedule_at })).status, 200, schedule_at)
  const { body } = await engine.metadata('get_scheduled_events', { type: 'one_off' })
  const inUtc = body.events.filter((event: { scheduled_time: string }) => event.scheduled_time.startsWith('2040'))
  assert.deepEqual(
    inUtc.map((event: { scheduled_time: string }) => event.scheduled_time),
    Array.from({ length: 3 }, () => '2040-01-01T06:00:00Z'),
  )
})

test('numbers that cannot be negative', async () => {
  const negative = async (type: string, usual: object, wrong: object) => {
    const { status, body } = await engine.metadata(type, { ...usual, ...wrong })
    return `${status} ${body.code} ${body.path} ${body.error}`
  }
  const path = '$.args.retry_conf'
  const trigger = { name: 'negative', table: 'city', webhook: 'http://127.0.0.1:1', enable_manual: true }
  for (const key of ['num_retries', 'interval_sec', 'timeout_sec'])
    assert.equal(
      await negative('pg_create_event_trigger', trigger, { retry_conf: { [key]: -1 } }),
      `400 parse-failed ${path}.${key} ${key} cannot be a negative value`,
    )
  for (const key of ['num_retries', 'retry_interval_seconds', 'timeout_seconds', 'tolerance_seconds'])
    assert.equal(
      await negative(
        'create_cron_trigger',
        { name: 'x', webhook: 'http://x', schedule: '@daily', include_in_metadata: true },
        { retry_conf: { [key]: -1 } },
      ),
      `400 parse-failed ${path}.${key} ${key} cannot be a negative value`,
    )
  assert.equal(
    await negative('add_remote_schema', { name: 'r' }, { definition: { url: 'http://x', timeout_seconds: -1 } }),
    '400 parse-failed $.args.definition.timeout_seconds timeout_seconds cannot be a negative value',
  )
})

test('negative tries of sources, and template engines that there are not', async () => {
  const { body } = await engine.metadata('export_metadata', {})
  const [source] = body.sources
  const replaced = async (changes: object) => {
    const answer = await engine.metadata('replace_metadata', { ...body, sources: [{ ...source, ...changes }] })
    return `${answer.status} ${answer.body.code} ${answer.body.error}`
  }
  const check = { interval: 1, retries: 1, retry_interval: 1, timeout: 1 }
  for (const key of Object.keys(check))
    assert.match(
      await replaced({ health_check: { ...check, [key]: -1 } }),
      new RegExp(`^400 parse-failed .*${key} cannot be a negative value`),
    )
  const { connection_info: info } = source.configuration
  const configuration = { connection_info: { ...info, pool_settings: { retries: -1 } } }
  assert.match(await replaced({ configuration }), /^400 parse-failed .*retries cannot be a negative value/)
  for (const transform of ['request_transform', 'response_transform']) {
    const definition = { handler: 'http://x', output_type: 'Int', [transform]: { template_engine: 'Jinja' } }
    const refused = await engine.metadata('create_action', { name: 'jinja', definition })
    assert.equal(refused.status, 400, refused.text)
    assert.deepEqual(
      [refused.body.code, refused.body.path],
      ['parse-failed', `$.args.definition.${transform}.template_engine`],
    )
  }
})

test('a webhook from the environment in each of its spellings', async () => {
  const ok = async (type: string, args: object) => {
    const { status, text } = await engine.metadata(type, args)
    assert.equal(status, 200, text)
  }
  const spellings = [{ webhook: '{{HOOK}}' }, { webhook: { from_env: 'HOOK' } }, { webhook_from_env: 'HOOK' }]
  const schedule = { schedule: '@yearly', include_in_metadata: true }
  for (const [i, spelling] of spellings.entries()) {
    await ok('pg_create_event_trigger', { name: `hook${i}`, table: 'city', enable_manual: true, ...spelling })
    await ok('create_cron_trigger', { name: `hook${i}`, ...schedule, ...spelling })
    await ok('create_scheduled_event', { schedule_at: '2040-01-01T00:00:00Z', ...spelling })
    const [handler] = [{ handler: '{{HOOK}}' }, { handler: { from_env: 'HOOK' } }, { handler_from_env: 'HOOK' }].slice(
      i,
    )
    await ok('create_action', { name: `hook${i}`, definition: { output_type: 'Int', ...handler } })
  }
  const { body } = await engine.metadata('export_metadata', {})
  const hooks = (all: readonly { readonly name: string }[]) => all.filter(({ name }) => name.startsWith('hook'))
  const tables: readonly { table: { name: string }; event_triggers?: [] }[] = body.sources[0].tables
  const triggers = hooks(tables.find(({ table }) => table.name === 'city')?.event_triggers ?? [])
  assert.deepEqual(
    triggers.map((trigger) => ({ ...trigger, name: '', definition: {}, retry_conf: {} })),
    [{ webhook: '{{HOOK}}' }, { webhook_from_env: 'HOOK' }, { webhook_from_env: 'HOOK' }].map((webhook) => ({
      ...{ name: '', definition: {}, retry_conf: {} },
      ...webhook,
    })),
  )
  assert.deepEqual(
    hooks(body.cron_triggers).map((trigger) => 'webhook' in trigger && trigger.webhook),
    ['{{HOOK}}', { from_env: 'HOOK' }, { from_env: 'HOOK' }],
  )
  for (const action of hooks(body.actions))
    assert.equal('definition' in action && (action.definition as { handler: string }).handler, '{{HOOK}}')
  // and in a document, without a warning
  const [, trigger] = hooks(body.cron_triggers) as readonly { name: string; webhook?: unknown }[]
  const { webhook: _, ...others } = trigger ?? {}
  const cron_triggers = [{ ...others, webhook_from_env: 'HOOK' }]
  const replaced = await engine.metadata('replace_metadata', { metadata: { ...body, cron_triggers } }, { version: 2 })
  assert.equal(replaced.status, 200, replaced.text)
  assert.doesNotMatch(replaced.text, /webhook_from_env/)
  const both = { name: 'both', ...schedule, webhook: 'http://x', webhook_from_env: 'HOOK' }
  const refused = await engine.metadata('create_cron_trigger', both)
  assert.deepEqual(
    [refused.status, refused.body.error],
    [400, 'only one of webhook or webhook_from_env should be given'],
    refused.text,
  )
})

test('texts that no database can hold', async () => {
  for (const text of ['a\0b', '\ud800']) {
    const at = { webhook: 'http://127.0.0.1:1', schedule_at: '2040-01-01T00:00:00Z' }
    for (const [type, args] of [
      ['create_scheduled_event', { ...at, comment: text }],
      ['create_scheduled_event', { ...at, payload: { [text]: 1 } }],
      ['create_scheduled_event', { ...at, webhook: text }],
      ['create_scheduled_event', { ...at, headers: [{ name: 'a', value: text }] }],
      ['create_scheduled_event', { ...at, event_id: text }],
      ['delete_scheduled_event', { type: 'one_off', event_id: text }],
      ['get_scheduled_events', { type: 'one_off', event_id: text }],
      ['get_scheduled_event_invocations', { type: 'one_off', event_id: text }],
      ['pg_get_event_logs', { name: text }],
      ['pg_get_event_invocation_logs', { name: text }],
      ['pg_get_event_by_id', { event_id: text }],
      ['pg_redeliver_event', { event_id: text }],
      ['pg_invoke_event_trigger', { name: text, payload: {} }],
      ['set_catalog_state', { type: 'cli', state: { text } }],
    ] as const) {
      const { status, body } = await engine.metadata(type, args)
      assert.deepEqual([status, body.code], [400, 'parse-failed'], `${type} ${JSON.stringify(args)}`)
    }
  }
})

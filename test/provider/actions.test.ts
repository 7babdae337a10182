/** Event triggers, actions and their types: what a plan says of them. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import type { Provider, Values } from '../../provider/src/core/index.ts'
import { sampleTables } from '../../provider/src/resources/samples.fixture.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { apply, deploy, destroy, newRun, plan, shown } from './deploy.ts'

let engine: Engine
before(async () => {
  const { url } = await createTestDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sampleTables).finally(() => client.end())
  engine = await startEngine({ databaseUrl: url })
})
after(() => engine.stop())
beforeEach(async () => {
  const { status, text } = await engine.metadata('clear_metadata', {})
  assert.equal(status, 200, text)
})

const artist = { schema: 'public', name: 'artist' }
const trigger: Values = {
  table: artist,
  name: 'on_artist',
  webhook: 'http://localhost:1/artist',
  insert: { all_columns: true },
  update: { columns: ['name'] },
}
const action: Values = { name: 'buy', handler: 'http://localhost:1/buy', output_type: 'Order' }
const order: Values = {
  name: 'Order',
  fields: [
    { name: 'number', type: 'Int!' },
    { name: 'items', type: '[Item!]' },
  ],
}
const item: Values = { name: 'Item', fields: [{ name: 'sku', type: 'String!' }] }
const allTypes: Values = { objects: [order, item] }

const reported = async (run: Provider, kind: string, prior: Values | null, config: Values | null) =>
  (await plan(run, kind, prior, config)).diagnostics.map(shown)

test('a template that does not parse is an error at its attribute', async () => {
  const run = newRun(engine)
  await deploy(run, 'Table', null, { table: artist })
  const places: readonly (readonly [Values, string])[] = [
    [{ request_transform: { body: { template: '{{ $body. }}' } } }, 'request_transform.body.template'],
    [{ request_transform: { url: '{{ nothing' } }, 'request_transform.url'],
    [{ request_transform: { query_params: { a: '1', b: '{{' } } }, 'request_transform.query_params.b'],
    [{ request_transform: { query_template: '{{' } }, 'request_transform.query_template'],
    [{ request_transform: { add_headers: { 'x-a': '{{' } } }, 'request_transform.add_headers.x-a'],
    [
      { request_transform: { body: { action: 'x_www_form_urlencoded', form_template: { a: '1', b: '{{' } } } },
      'request_transform.body.form_template.b',
    ],
    [{ response_transform: { body: { template: '{' } } }, 'response_transform.body.template'],
  ]
  const owners = { EventTrigger: trigger, Action: { ...action, output_type: 'String' }, CronTrigger: cron }
  for (const [kind, base] of Object.entries(owners))
    for (const [transform, place] of places) {
      const [first] = await reported(newRun(engine), kind, null, { ...base, ...transform })
      assert.deepEqual([first?.[0], first?.[2]], ['error', place], `${kind} ${place}: ${first?.[1]}`)
      assert.match(String(first?.[1]), /transform validation failed \(./)
    }
})

const cron: Values = { name: 'daily', webhook: 'http://localhost:1/daily', schedule: '0 5 * * *' }

test('a plan says what a change does to the triggers of the database', async () => {
  const run = newRun(engine)
  await deploy(run, 'Table', null, { table: artist })
  const state = await deploy(run, 'EventTrigger', null, trigger)
  const said = async (config: Values) => {
    const { diagnostics } = await plan(newRun(engine), 'EventTrigger', state, { ...trigger, ...config })
    assert.ok(diagnostics.every(({ severity }) => severity === 'warning'))
    return diagnostics.map(({ detail }) => detail)
  }
  assert.deepEqual(await said({ webhook: 'http://localhost:1/other' }), [])
  assert.deepEqual(
    await said({ update: { columns: ['name', 'owner'] }, delete: { all_columns: true }, insert: null }),
    [
      [
        'In the database notify_svc_on_artist_INSERT will be dropped.',
        'In the database the function of notify_svc_on_artist_UPDATE will be replaced: events captured before keep their form.',
        'In the database notify_svc_on_artist_DELETE will be created, once running writes to the table have ended.',
      ].join('\n'),
    ],
  )
  assert.deepEqual(await said({ name: 'on_other' }), [
    [
      'In the database notify_svc_on_artist_INSERT, notify_svc_on_artist_UPDATE will be dropped.',
      'Events of the old one that are not delivered by then stay archived, and are delivered no more.',
    ].join('\n'),
  ])
})

test('types and what uses them are made and removed in any order of a plan', async () => {
  const making = newRun(engine)
  const waves: readonly (readonly [string, Values])[] = [
    ['Action', action],
    ['CustomType', order],
    ['CustomType', item],
  ]
  const answers = await Promise.all(waves.map(([kind, config]) => reported(making, kind, null, config)))
  assert.deepEqual(answers, [[], [], []])
  const states = await Promise.all(
    waves.map(async ([kind, config]) => [kind, await deploy(making, kind, null, config)] as const),
  )
  const removing = newRun(engine)
  const gone = await Promise.all(states.toReversed().map(([kind, state]) => reported(removing, kind, state, null)))
  assert.deepEqual(gone, [[], [], []])
  await Promise.all(states.map(([kind, state]) => destroy(removing, kind, state)))
  assert.deepEqual((await engine.metadata('export_metadata', {})).body.custom_types, undefined)
})

test('all types in one resource go with the actions that use them', async () => {
  const run = newRun(engine)
  const types = await deploy(run, 'CustomTypes', null, allTypes)
  const state = await deploy(run, 'Action', null, action)
  const removing = newRun(engine)
  assert.deepEqual(
    await Promise.all([reported(removing, 'CustomTypes', types, null), reported(removing, 'Action', state, null)]),
    [[], []],
  )
  // alone they cannot
  assert.deepEqual(
    (await reported(newRun(engine), 'CustomTypes', types, null)).map(([severity, summary]) => [severity, summary]),
    [['warning', 'CustomTypes custom_types is still used']],
  )
})

test('types have one owner or one each, and neither removes types of the other unseen', async () => {
  const first = newRun(engine)
  const types = await deploy(first, 'CustomTypes', null, allTypes)
  const money: Values = { name: 'Money', scalar: true }
  assert.deepEqual(await reported(first, 'CustomType', null, money), [
    ['error', 'CustomTypes and CustomType cannot be in one configuration', ''],
  ])
  // another stack's
  const other = await apply(newRun(engine), 'CustomTypes', null, { scalars: [{ name: 'Money' }] })
  assert.match(other.diagnostics[0]?.summary ?? '', /^CustomTypes custom_types exists already and differs/)
  const added = await deploy(newRun(engine), 'CustomType', null, money)
  const refreshed = await newRun(engine).read('CustomTypes', types)
  assert.deepEqual(refreshed.state?.scalars, [{ name: 'Money', description: null }])
  const taken = await apply(newRun(engine), 'CustomType', null, { ...item, scalar: null })
  assert.match(taken.diagnostics[0]?.summary ?? '', /^CustomType Item exists already/)
  // removing it removes nothing else
  await destroy(newRun(engine), 'CustomType', added)
  assert.deepEqual((await newRun(engine).read('CustomTypes', types)).state, types)
})

/** Plans that know: what the engine would refuse is reported at the attribute that causes it, before anything is stored. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { createMetadataClient, PlanFork } from '../../provider/src/client/index.ts'
import type { Provider, Values } from '../../provider/src/core/index.ts'
import { unknown } from '../../provider/src/core/index.ts'
import { sampleTables } from '../../provider/src/resources/samples.fixture.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { deploy, newRun, plan, shown } from './deploy.ts'
import { startProxy } from './proxy.ts'

let engine: Engine
before(async () => {
  const { url } = await createTestDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client
    .query(`${sampleTables} CREATE TABLE oddly_keyed (id integer, CONSTRAINT "oddly-keyed" PRIMARY KEY (id))`)
    .finally(() => client.end())
  engine = await startEngine({ databaseUrl: url })
})
after(() => engine.stop())
beforeEach(async () => {
  const { status, text } = await engine.metadata('clear_metadata', {})
  assert.equal(status, 200, text)
})

const table = (name: string): Values => ({ schema: 'public', name })
const permission = (more: Values = {}): Values => ({
  table: table('album'),
  role: 'user',
  columns: ['id'],
  filter: '{}',
  ...more,
})

const reported = async (run: Provider, kind: string, prior: Values | null, config: Values | null) =>
  (await plan(run, kind, prior, config)).diagnostics.map(shown)

test('nothing is stored by a plan', async () => {
  const before = (await engine.metadata('export_metadata', {}, { version: 2 })).body
  const run = newRun(engine)
  assert.deepEqual(await reported(run, 'Table', null, { table: table('album') }), [])
  assert.deepEqual(await reported(run, 'SelectPermission', null, permission()), [])
  assert.deepEqual((await engine.metadata('export_metadata', {}, { version: 2 })).body, before)
})

test('each mistake is reported at its attribute, with the whole path', async () => {
  const mistakes: readonly (readonly [string, Values, RegExp, string])[] = [
    ['Table', { table: table('albun') }, /^table: no such table\/view exists in source: "albun"/, 'table'],
    [
      'Table',
      { table: table('oddly_keyed') },
      /^table: .*ALTER TABLE "public"\."oddly_keyed" RENAME CONSTRAINT "oddly-keyed" TO oddly_keyed$/,
      'table',
    ],
    [
      'Table',
      { table: table('album'), column_config: { titel: { custom_name: 'x' } } },
      /column "titel"/,
      'column_config.titel',
    ],
    [
      'SelectPermission',
      permission({ columns: ['id', 'titel'] }),
      /^columns\[1\]: .*column "titel" does not exist/,
      'columns',
    ],
    ['SelectPermission', permission({ table: table('albun') }), /^table: table "albun" does not exist/, 'table'],
    [
      'SelectPermission',
      permission({ filter: '{"titel":{"_eq":"x"}}' }),
      /^filter\.titel: .*column "titel" does not exist/,
      'filter',
    ],
    [
      'SelectPermission',
      permission({ filter: '{"_or":[{"id":{"_eq":{"a":1}}}]}' }),
      /^filter\._or\[0\]\.id\._eq: /,
      'filter',
    ],
    [
      'SelectPermission',
      permission({ filter: '{"id":{"_eq":"many"}}' }),
      /^filter\.id\._eq: .*invalid input syntax for type integer: "many"/,
      'filter',
    ],
    [
      'SelectPermission',
      permission({ filter: '{"artist_id":{"_in":[1,"2",99999999999]}}' }),
      /^filter\.artist_id\._in\[2\]: .*The value 99999999999 lies outside the bounds/,
      'filter',
    ],
    [
      'ObjectRelationship',
      { table: table('album'), name: 'title', foreign_key_columns: ['artist_id'] },
      /^name: .*conflicts with postgres column/,
      'name',
    ],
    [
      'ObjectRelationship',
      { table: table('album'), name: 'artist', foreign_key_columns: ['artistid'] },
      /^foreign_key_columns/,
      'foreign_key_columns',
    ],
    [
      'ArrayRelationship',
      {
        table: table('artist'),
        name: 'albums',
        manual_configuration: { remote_table: table('album'), column_mapping: { id: 'artistid' } },
      },
      /^manual_configuration\.column_mapping\.id: .*artistid/,
      'manual_configuration.column_mapping.id',
    ],
  ]
  for (const [kind, config, summary, path] of mistakes) {
    const { diagnostics } = await plan(newRun(engine), kind, null, config)
    assert.equal(diagnostics.length, 1, `${kind} ${JSON.stringify(config)} ${JSON.stringify(diagnostics)}`)
    const [only] = diagnostics
    assert.equal(only?.severity, 'error')
    assert.match(only?.summary ?? '', summary)
    assert.equal(only?.path.join('.'), path, only?.summary)
  }
})

test('waves in any order: what another resource of the plan will bring is no error', async () => {
  const run = newRun(engine)
  const filter = '{"artist":{"name":{"_eq":"x"}}}'
  const permitted = reported(run, 'SelectPermission', null, permission({ filter }))
  assert.deepEqual(
    await reported(run, 'ObjectRelationship', null, {
      table: table('album'),
      name: 'artist',
      foreign_key_columns: ['artist_id'],
    }),
    [],
  )
  assert.deepEqual(await reported(run, 'Table', null, { table: table('artist') }), [])
  assert.deepEqual(await reported(run, 'Table', null, { table: table('album') }), [])
  assert.deepEqual(await permitted, [])
})

test('what no resource of the plan brings is a warning at what names it, and an error where two need each other', async () => {
  const role = (role_name: string, ...role_set: readonly string[]) =>
    ['InheritedRole', { role_name, role_set }] as const
  const warned = async (kind: string, config: Values) => (await plan(newRun(engine), kind, null, config)).diagnostics
  const [needsRelationship] = await warned('SelectPermission', permission({ filter: '{"artst":{"name":{"_eq":"x"}}}' }))
  assert.deepEqual(
    [needsRelationship?.severity, needsRelationship?.path, needsRelationship?.detail],
    [
      'warning',
      ['filter'],
      'It needs ObjectRelationship artst in table album in source default, which the engine does not have and this plan has not made so far. Unless it still comes the apply fails.',
    ],
  )
  const [needsRole] = await warned(...role('boss', 'nobody'))
  assert.deepEqual([needsRole?.severity, needsRole?.path], ['warning', ['role_set']])
  assert.match(needsRole?.summary ?? '', /^role_set: .*parent role\(s\) are not found: nobody/)
  const run = newRun(engine)
  const three = [role('a', 'b'), role('b', 'c'), role('c', 'a')]
  const cycle = await Promise.all(three.map(([kind, config]) => plan(run, kind, null, config)))
  for (const { diagnostics } of cycle)
    assert.deepEqual(
      diagnostics.map(({ severity, path, detail }) => [severity, path, detail]),
      [['error', ['role_set'], 'What it needs needs it in turn: neither can be made before the other.']],
    )
})

for (const [slots, most] of [
  [1, 1],
  [2, 0],
  [3, 0],
  [4, 0],
] as const)
  test(`what the plan comes to last is missed by at most ${most} that need it, ${slots} at a time`, async () => {
    const filter = '{"artist":{"name":{"_eq":"x"}}}'
    const roles = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
    const last: readonly (readonly [string, Values])[] = [
      ['ObjectRelationship', { table: table('album'), name: 'artist', foreign_key_columns: ['artist_id'] }],
      ['Table', { table: table('artist') }],
      ['Table', { table: table('album') }],
    ]
    const open = [...roles.map((role) => ['SelectPermission', permission({ role, filter })] as const), ...last].values()
    const run = newRun(engine)
    const said: unknown[] = []
    const work = async () => {
      for (const [kind, config] of open) said.push(...(await reported(run, kind, null, config)))
    }
    await Promise.all(Array.from({ length: slots }, work))
    assert.ok(said.length <= most, JSON.stringify(said))
  })

test('several that lack something are all reported', async () => {
  const run = newRun(engine)
  const roles = ['a', 'b', 'c'].map((role_name) => ({ role_name, role_set: [`${role_name}${role_name}`] }))
  const said = (await Promise.all(roles.map((role) => reported(run, 'InheritedRole', null, role)))).flat()
  assert.deepEqual(
    said.map(([severity]) => severity),
    ['warning', 'warning', 'warning'],
  )
  for (const missing of ['aa', 'bb', 'cc']) assert.match(said.join(), new RegExp(`not found: ${missing}`))
})

test('two resources for one object clash in the plan', async () => {
  const run = newRun(engine)
  assert.deepEqual(await reported(run, 'Table', null, { table: table('album') }), [])
  const [second] = await reported(run, 'Table', null, { table: table('album') })
  assert.deepEqual(second?.slice(0, 2), ['error', 'table: view/table already tracked: "album"'])
})

test('a drop of what is still used is a warning, unless what uses it goes in the same plan', async () => {
  const run = newRun(engine)
  await deploy(run, 'Table', null, { table: table('album') })
  await deploy(run, 'Table', null, { table: table('artist') })
  const relationship = await deploy(run, 'ObjectRelationship', null, {
    table: table('album'),
    name: 'artist',
    foreign_key_columns: ['artist_id'],
  })
  const user = await deploy(run, 'SelectPermission', null, permission({ filter: '{"artist":{"name":{"_eq":"x"}}}' }))
  const [warning] = await reported(newRun(engine), 'ObjectRelationship', relationship, null)
  assert.deepEqual(warning, ['warning', 'ObjectRelationship default/public/album/artist is still used', ''])
  const both = newRun(engine)
  const [first, second] = await Promise.all([
    reported(both, 'ObjectRelationship', relationship, null),
    reported(both, 'SelectPermission', user, null),
  ])
  assert.deepEqual([first, second], [[], []])
})

test('what uses something that gets another name changes over with it, and the plan says so', async () => {
  const run = newRun(engine)
  await deploy(run, 'Table', null, { table: table('album') })
  const named = (name: string): Values => ({ table: table('album'), name, function: { name: 'album_label' } })
  const field = await deploy(run, 'ComputedField', null, named('label'))
  const user = await deploy(run, 'SelectPermission', null, permission({ computed_fields: ['label'] }))
  const renamed = newRun(engine)
  const [warning] = await reported(renamed, 'ComputedField', field, named('tag'))
  assert.match(warning?.[1] ?? '', /album\/label becomes .*album\/tag, and what names it is changed along$/)
  assert.deepEqual(await reported(renamed, 'SelectPermission', user, permission({ computed_fields: ['tag'] })), [])
})

test('a role gets no function that is not declared for it, where its select permission had another role', async () => {
  const sql = "CREATE OR REPLACE FUNCTION albums_of(q text) RETURNS SETOF album LANGUAGE sql AS 'SELECT * FROM album'"
  await engine.post('/v2/query', { type: 'run_sql', args: { sql } })
  const run = newRun(engine)
  await deploy(run, 'Table', null, { table: table('album') })
  const user = await deploy(run, 'SelectPermission', null, permission())
  const reference = { function: table('albums_of') }
  await deploy(run, 'Function', null, { ...reference, exposed_as: 'mutation' })
  const made = await deploy(run, 'FunctionPermission', null, { ...reference, role: 'user' })
  const guest = permission({ role: 'guest' })
  const granted = { ...reference, role: 'guest' }

  const [warning, ...others] = await reported(newRun(engine), 'SelectPermission', user, guest)
  assert.deepEqual([warning?.[0], others], ['warning', []])
  const becomes = 'album/user becomes .*album/guest, '
  const named = 'FunctionPermission user permission for function albums_of'
  assert.match(String(warning?.[1]), new RegExp(`${becomes}and ${named}.* is removed with it`))
  // a resource that declares it and stays as it is, is an error, whichever is planned first
  const granting = { ...reference, role: 'user' }
  const one = newRun(engine)
  await reported(one, 'SelectPermission', user, guest)
  const [error] = await reported(one, 'FunctionPermission', made, granting)
  assert.deepEqual([error?.[0], error?.[2]], ['error', 'role'])
  assert.match(String(error?.[1]), new RegExp(`${becomes}which .*albums_of/user does not follow`))
  const other = newRun(engine)
  assert.deepEqual(await reported(other, 'FunctionPermission', made, granting), [])
  const [late] = await reported(other, 'SelectPermission', user, guest)
  assert.match(String(late?.[1]), new RegExp(`${becomes}which ${named}.* does not follow`))
  for (const order of [1, -1]) {
    const both = newRun(engine)
    const changes = [
      () => reported(both, 'SelectPermission', user, guest),
      () => reported(both, 'FunctionPermission', made, granted),
    ]
    const said = await Promise.all((order === 1 ? changes : changes.toReversed()).map((change) => change()))
    assert.deepEqual(said.flat(), [])
  }
  const permissions = async () => {
    const { body } = await engine.metadata('export_metadata', {})
    return body.sources[0].functions[0].permissions ?? []
  }
  const unchecked = newRun(engine, { preview_checks: 'off' })
  await deploy(unchecked, 'SelectPermission', user, guest)
  assert.deepEqual(await permissions(), [])
  await deploy(unchecked, 'FunctionPermission', made, granted)
  assert.deepEqual(await permissions(), [{ role: 'guest' }])
})

test('a resource that gets another identity is tried once, though some tools plan it twice', async () => {
  const state = await deploy(newRun(engine), 'Table', null, { table: table('album') })
  const made = await deploy(newRun(engine), 'SelectPermission', null, permission())
  const run = newRun(engine)
  assert.deepEqual(await reported(run, 'SelectPermission', made, permission({ role: 'guest' })), [])
  assert.deepEqual(await reported(run, 'SelectPermission', null, permission({ role: 'guest' })), [])
  // made anew under the same identity, as after a failed creation
  const tainted = newRun(engine)
  await tainted.read('Table', state)
  assert.deepEqual(await reported(tainted, 'Table', null, { table: table('album') }), [])
  const stranger = newRun(engine)
  const [error] = await reported(stranger, 'Table', null, { table: table('album') })
  assert.deepEqual(error, ['error', 'Table default/public/album exists already', ''])
})

test('what is not known yet is not asked for', async () => {
  const { planned, diagnostics } = await plan(newRun(engine), 'SelectPermission', null, permission({ role: unknown }))
  assert.deepEqual(diagnostics, [])
  assert.equal(planned?.id, unknown)
})

test('a fork that the engine has forgotten is made again', async (context) => {
  const proxy = await startProxy(engine, context)
  const run = newRun(proxy)
  assert.deepEqual(await reported(run, 'Table', null, { table: table('artist') }), [])
  assert.deepEqual(await reported(run, 'Table', null, { table: table('album') }), [])
  // 64 plans are kept: as many others push this one out
  for (let i = 0; i < 64; i++) await reported(newRun(engine), 'Table', null, { table: table('track') })
  const [clash] = await reported(run, 'Table', null, { table: table('album') })
  assert.equal(clash?.[1], 'table: view/table already tracked: "album"')
  assert.deepEqual(
    proxy.seen.filter(({ dryRun }) => dryRun).map(({ members }) => members),
    [1, 1, 1, 3],
  )
})

test('plans that arrive together are asked about together', async (context) => {
  const proxy = await startProxy(engine, context)
  const run = newRun(proxy)
  const names = ['artist', 'album', 'track', 'genre']
  await Promise.all(names.map((name) => reported(run, 'Table', null, { table: table(name) })))
  assert.ok(proxy.seen.filter(({ dryRun }) => dryRun).length <= 2)
  assert.equal(proxy.exports(), 1)
})

test('checks can warn only, or be off', async (context) => {
  const wrong = permission({ columns: ['titel'] })
  const [warning] = await reported(newRun(engine, { preview_checks: 'warn' }), 'SelectPermission', null, wrong)
  assert.equal(warning?.[0], 'warning')
  const proxy = await startProxy(engine, context)
  assert.deepEqual(await reported(newRun(proxy, { preview_checks: 'off' }), 'SelectPermission', null, wrong), [])
  assert.deepEqual(proxy.seen, [])
})

test('an engine that cannot be reached is one error of a run, and a warning where that is wanted', async () => {
  const unreachable = { endpoint: 'http://127.0.0.1:1' }
  const configs: readonly (readonly [Values, string])[] = [
    [unreachable, 'error'],
    [{ ...unreachable, preview_checks: 'strict' }, 'error'],
    [{ ...unreachable, preview_checks: 'lenient' }, 'warning'],
    [{ ...unreachable, preview_checks: 'warn' }, 'warning'],
    [{ endpoint: unknown }, 'warning'],
  ]
  for (const [config, severity] of configs) {
    const run = newRun(engine, config)
    const all = [
      ...(await reported(run, 'Table', null, { table: table('album') })),
      ...(await reported(run, 'Table', null, { table: table('artist') })),
    ]
    assert.deepEqual(
      all.map(([first]) => first),
      [severity],
    )
  }
})

test('a preview is made again only when something more is planned', async () => {
  let previews = 0
  const client = createMetadataClient({
    endpoint: engine.url,
    ...(engine.secret !== undefined && { adminSecret: engine.secret }),
    actor: 'test',
    userAgent: 'test',
    observe: () => void previews++,
  })
  const fork = new PlanFork(client)
  const first = await fork.preview()
  assert.equal(await fork.preview(), first)
  assert.equal(previews, 1)
  const tracked = await fork.try([{ type: 'pg_track_table', args: { table: 'album' } }])
  assert.equal(tracked.kind, 'ok')
  const [one, other] = await Promise.all([fork.preview(), fork.preview()])
  assert.notDeepEqual(one, first)
  assert.equal(one, other)
  assert.equal(await fork.preview(), one)
  assert.equal(previews, 3)
})

const trigger = (more: Values): Values => ({
  table: table('album'),
  webhook: 'http://127.0.0.1:9/hook',
  insert: { all_columns: true },
  ...more,
})

test('only the resource that the engine refuses to parse is refused, in a plan and in an apply', async () => {
  const run = newRun(engine)
  await deploy(run, 'Table', null, { table: table('album') })
  // as from an engine with rules of its own: what is planned here is not validated before
  const client = createMetadataClient({
    endpoint: engine.url,
    ...(engine.secret !== undefined && { adminSecret: engine.secret }),
    actor: 'test',
    userAgent: 'test',
    insecure: false,
  })
  const fork = new PlanFork(client)
  const operation = (name: string) => ({
    type: 'pg_create_event_trigger',
    args: { table: 'album', name, webhook: 'http://127.0.0.1:9/hook', insert: { columns: '*' } },
  })
  const verdicts = await Promise.all(
    ['one', 'bad name', 'two', '-', 'three'].map((name) => fork.try([operation(name)])),
  )
  assert.deepEqual(
    verdicts.map((verdict) => (verdict.kind === 'error' ? verdict.at : verdict.kind)),
    ['ok', '$.args[1].args.name', 'ok', '$.args[2].args.name', 'ok'],
  )
  const again = await Promise.all([fork.try([operation('-')]), fork.try([operation('three')])])
  assert.deepEqual(
    again.map((verdict) => verdict.kind === 'error' && verdict.error.code),
    ['parse-failed', 'already-exists'],
  )
  const wanted = [
    trigger({ name: 'one' }),
    trigger({ name: 'bad name' }),
    trigger({ name: 'two' }),
    trigger({ name: 'idle', insert: null }),
    trigger({ name: 'three' }),
  ]
  const applying = newRun(engine)
  const results = await Promise.all(
    wanted.map((values) => {
      const { planned } = applying.planWithoutEngine({
        kind: 'EventTrigger',
        prior: null,
        proposed: values,
        config: values,
      })
      return applying.apply({ kind: 'EventTrigger', prior: null, planned, config: values })
    }),
  )
  assert.deepEqual(
    results.map(({ diagnostics }) => diagnostics.map(shown)),
    [
      [],
      [['error', 'name: only alphanumeric and underscore and hyphens allowed for name', 'name']],
      [],
      [['error', 'atleast one amongst insert/update/delete/enable_manual spec must be provided', '']],
      [],
    ],
  )
})

const strict = { preview_checks: 'strict' }

test('a strict plan fails for what is never made, at its resource, and for nothing that needs that', async () => {
  const run = newRun(engine, strict, {}, () => 10)
  await reported(run, 'Table', null, { table: table('artist') })
  const relationship = { table: table('album'), name: 'artist', foreign_key_columns: ['artist_id'] }
  const wrong: readonly (readonly [string, Values])[] = [
    ['Table', { source: 'nowhere', table: table('album') }],
    ['InheritedRole', { role_name: 'clerk', role_set: ['nobody'] }],
    ['SelectPermission', permission({ role: 'a', filter: '{"artists":{"name":{"_eq":"x"}}}' })],
    ['SelectPermission', permission({ role: 'b', computed_fields: ['labels'] })],
  ]
  const right: readonly (readonly [string, Values])[] = [
    ['SelectPermission', permission({ filter: '{"artist":{"name":{"_eq":"x"}}}' })],
    ['InheritedRole', { role_name: 'editor', role_set: ['user'] }],
    ['ObjectRelationship', relationship],
    ['Table', { table: table('album') }],
  ]
  const all = [...wrong, ...right].map(([kind, config]) => reported(run, kind, null, config))
  assert.deepEqual(
    (await Promise.all(all)).map((one) => one.map(([severity, , path]) => [severity, path])),
    [
      [['error', 'source']],
      [['error', 'role_set']],
      [['error', 'filter']],
      [['error', 'computed_fields']],
      [],
      [],
      [],
      [],
    ],
  )
})

test('a strict plan does not fail for what is known only once it is applied, nor where its end is not known', async () => {
  const run = newRun(engine, strict, {}, () => 10)
  const source: Values = { name: 'later', database_url: unknown }
  assert.deepEqual(await reported(run, 'Source', null, source), [])
  assert.deepEqual(await reported(run, 'Table', null, { source: 'later', table: table('album') }), [
    ['warning', 'what is in source later is not checked', ''],
  ])
  const alone = newRun(engine, strict, {}, () => 1)
  const [warning] = await reported(alone, 'InheritedRole', null, { role_name: 'clerk', role_set: ['nobody'] })
  assert.equal(warning?.[0], 'warning')
})

test('a wrong admin secret is one error of a run', async () => {
  const run = newRun(engine, { admin_secret: 'wrong' })
  const [first] = await reported(run, 'Table', null, { table: table('album') })
  assert.deepEqual(first, ['error', `the engine at ${engine.url} refuses the admin secret`, ''])
  assert.deepEqual(await reported(run, 'Table', null, { table: table('artist') }), [])
})

test('what is in a source that is never made is a warning that the apply will fail', async () => {
  const run = newRun(engine, {}, {}, () => 10)
  const { diagnostics } = await plan(run, 'Table', null, { source: 'later', table: table('album') })
  assert.deepEqual(diagnostics.map(shown), [['warning', 'source: source with name "later" does not exist', 'source']])
  assert.match(diagnostics[0]?.detail ?? '', /the apply will fail\.$/)
})

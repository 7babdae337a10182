/**
 * What becomes of objects whose resources are renamed, made anew, replaced or deleted: what lies in them and what names
 * them stays, and nothing that another resource has made is removed.
 */
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
  await client.query(sampleTables)
  await client.query('CREATE TABLE song (LIKE album INCLUDING ALL)').finally(() => client.end())
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

async function must(type: string, args: object): Promise<void> {
  const { status, text } = await engine.metadata(type, args)
  assert.equal(status, 200, text)
}

/** `table album`, `select_permission user in table album …`, of every object but the source. */
async function objects(): Promise<readonly string[]> {
  const { state } = await newRun(engine).readData('unmanaged_objects', { managed: null })
  const found = state?.objects as readonly { readonly name: string }[]
  return found
    .map(({ name }) => name.replaceAll(' in source default', ''))
    .filter((name) => !name.startsWith('source '))
}

test('what was taken over in a run is not deleted by its former owner in that run', async () => {
  await deploy(newRun(engine), 'Table', null, { table: table('album') })
  const former = await deploy(newRun(engine), 'SelectPermission', null, permission())
  const run = newRun(engine, { adopt_existing: true })
  await deploy(run, 'SelectPermission', null, permission())
  const gone = await run.apply({ kind: 'SelectPermission', prior: former, planned: null, config: null })
  assert.deepEqual(gone.diagnostics.map(shown), [['warning', 'SelectPermission default/public/album/user stays', '']])
  assert.equal(gone.state, null)
  assert.deepEqual(await objects(), ['table album', 'select_permission user in table album'])
})

test('what another resource has made since is left by the one that had made it before', async () => {
  await deploy(newRun(engine), 'Table', null, { table: table('album') })
  const first = newRun(engine)
  const { planned } = await plan(first, 'SelectPermission', null, permission())
  const { state: former, made } = await first.apply({ kind: 'SelectPermission', prior: null, planned, config: null })
  assert.ok(made)
  const request = { kind: 'SelectPermission', prior: former, planned: null, config: null, made }
  await must('pg_drop_select_permission', { table: 'album', role: 'user' })
  await deploy(newRun(engine), 'SelectPermission', null, permission())
  const gone = await newRun(engine).apply(request)
  assert.deepEqual(gone.diagnostics.map(shown), [['warning', 'SelectPermission default/public/album/user stays', '']])
  assert.equal((await objects()).length, 2)
  // what people make again is the resource's own
  await must('pg_drop_select_permission', { table: 'album', role: 'user' })
  const next = await deployMade()
  await must('pg_drop_select_permission', { table: 'album', role: 'user' })
  await must('pg_create_select_permission', {
    table: 'album',
    role: 'user',
    permission: { columns: ['id'], filter: {} },
  })
  assert.deepEqual((await newRun(engine).apply({ ...request, ...next })).diagnostics, [])
  assert.deepEqual(await objects(), ['table album'])
})

async function deployMade() {
  const run = newRun(engine)
  const { planned } = await plan(run, 'SelectPermission', null, permission())
  const { state, made } = await run.apply({ kind: 'SelectPermission', prior: null, planned, config: null })
  assert.ok(made)
  return { prior: state, made }
}

test('a resource that goes under one address and comes under another keeps its object, and the plan says so', async () => {
  const state = await deploy(newRun(engine), 'Table', null, { table: table('album') })
  await must('pg_create_select_permission', { table: 'album', role: 'hand', permission: { columns: [], filter: {} } })
  for (const order of ['made first', 'deleted first']) {
    const planning = newRun(engine)
    await planning.read('Table', state)
    const make = () => plan(planning, 'Table', null, { table: table('album') })
    const remove = () => plan(planning, 'Table', state, null)
    const [one, other] = await Promise.all(order === 'made first' ? [make(), remove()] : [remove(), make()])
    const reported = [...one.diagnostics, ...other.diagnostics].map(({ summary }) => summary)
    assert.ok(reported.includes('Table default/public/album is deleted and made in one plan'), `${order}: ${reported}`)
    const run = newRun(engine)
    const [made, gone] = order === 'made first' ? [one, other] : [other, one]
    const both = [
      () => run.apply({ kind: 'Table', prior: null, planned: made.planned, config: null, anew: made.anew ?? false }),
      () => run.apply({ kind: 'Table', prior: state, planned: null, config: null, anew: gone.anew ?? false }),
    ]
    const applied = await Promise.all((order === 'made first' ? both : both.reverse()).map((one) => one()))
    assert.deepEqual(
      applied.flatMap(({ diagnostics }) => diagnostics).filter(({ severity }) => severity === 'error'),
      [],
    )
    assert.deepEqual(await objects(), ['table album', 'select_permission hand in table album'])
  }
})

test('an object that one resource keeps is not deleted by another one that goes', async () => {
  const state = await deploy(newRun(engine), 'Table', null, { table: table('album') })
  const keep = (run: ReturnType<typeof newRun>) => plan(run, 'Table', state, { table: table('album') })
  const remove = (run: ReturnType<typeof newRun>) => plan(run, 'Table', state, null)
  const keptFirst = newRun(engine)
  assert.deepEqual((await keep(keptFirst)).diagnostics, [])
  const gone = await remove(keptFirst)
  assert.deepEqual([gone.anew, gone.diagnostics.map(({ severity }) => severity)], [true, ['warning']])
  // a delete that was planned before cannot be taken back
  const goneFirst = newRun(engine)
  assert.deepEqual((await remove(goneFirst)).diagnostics, [])
  const kept = await keep(goneFirst)
  assert.deepEqual(kept.diagnostics.map(shown), [
    ['error', 'Table default/public/album is deleted under another address of this plan', ''],
  ])
})

test('an error of a delete names the resource, its table and its role', async () => {
  const run = newRun(engine)
  const [album, artist] = await Promise.all(
    ['album', 'artist'].map((name) => deploy(run, 'Table', null, { table: table(name) })),
  )
  const user = await deploy(run, 'SelectPermission', null, permission())
  await must('add_inherited_role', { role_name: 'editor', role_set: ['user'] })
  await must('pg_create_object_relationship', {
    table: 'album',
    name: 'artist',
    using: { manual_configuration: { remote_table: 'artist', column_mapping: { artist_id: 'id' } } },
  })
  const remove = async (kind: string, state: Values | undefined) => {
    const { diagnostics } = await newRun(engine).apply({ kind, prior: state ?? {}, planned: null, config: null })
    return diagnostics.map(({ summary, path }) => `${summary} ${path}`)
  }
  const [held] = await remove('Table', artist)
  assert.match(held ?? '', /^Table default\/public\/artist is not deleted: cannot drop due to .*album\.artist/)
  const [used] = await remove('SelectPermission', user)
  assert.match(used ?? '', /^SelectPermission default\/public\/album\/user is not deleted: .*editor/)
  assert.ok(album)
})

test('adopt_existing takes over what is only spelled otherwise', async () => {
  await deploy(newRun(engine), 'Table', null, { table: table('album') })
  await must('pg_create_select_permission', {
    table: 'album',
    role: 'user',
    permission: { columns: ['title', 'id'], filter: { id: { _gt: 1 } } },
  })
  const run = newRun(engine, { adopt_existing: true })
  const config = permission({ columns: ['id', 'title'], filter: '{ "id": {"_gt": 1}}' })
  const planned = await plan(run, 'SelectPermission', null, config)
  assert.deepEqual(planned.diagnostics, [])
  const state = await deploy(run, 'SelectPermission', null, config)
  const next = newRun(engine)
  const { state: read } = await next.read('SelectPermission', state)
  assert.deepEqual((await plan(next, 'SelectPermission', read, config)).changed, [])
})

test('created again under its identity an object is never gone, nor is what is in it', async () => {
  const config = { table: table('album'), comment: 'All albums' }
  const state = await deploy(newRun(engine), 'Table', null, config)
  await must('pg_create_select_permission', { table: 'album', role: 'hand', permission: { columns: [], filter: {} } })
  await must('pg_set_table_customization', { table: 'album', configuration: { comment: 'By hand' } })
  const planning = newRun(engine)
  await planning.read('Table', state)
  const tainted = await plan(planning, 'Table', null, config)
  assert.deepEqual([tainted.anew, tainted.diagnostics], [true, []])
  const run = newRun(engine)
  const gone = await run.apply({ kind: 'Table', prior: state, planned: null, config: null, anew: true })
  assert.deepEqual([gone.state, gone.diagnostics], [null, []])
  assert.equal((await objects()).length, 2)
  const made = await run.apply({ kind: 'Table', prior: null, planned: tainted.planned, config: null, anew: true })
  assert.deepEqual(made.diagnostics, [])
  assert.equal((await objects()).length, 2)
  const read = await newRun(engine).read('Table', state)
  assert.equal(read.state?.comment, 'All albums')
  // where the run ended between the two, the next plan says what is there
  const next = await plan(newRun(engine), 'Table', null, config)
  assert.match(next.diagnostics[0]?.summary ?? '', /exists already/)
})

test('two resources of one identity are reported, though a state has it', async () => {
  const state = await deploy(newRun(engine), 'Table', null, { table: table('album') })
  const run = newRun(engine)
  await run.read('Table', state)
  assert.deepEqual((await plan(run, 'Table', state, { table: table('album') })).diagnostics, [])
  const second = await plan(run, 'Table', null, { table: table('album') })
  assert.match(second.diagnostics[0]?.summary ?? '', /exists already/)
  assert.equal(second.anew, false)
})

test('a delete removes nothing that no resource deletes, unless that was consented to', async () => {
  const state = await deploy(newRun(engine), 'Table', null, { table: table('album') })
  await must('pg_create_select_permission', { table: 'album', role: 'hand', permission: { columns: [], filter: {} } })
  const { diagnostics } = await plan(newRun(engine), 'Table', state, null)
  assert.deepEqual(diagnostics.map(shown), [['warning', 'Table default/public/album takes along what is in it', '']])
  assert.match(diagnostics[0]?.detail ?? '', /^SelectPermission hand in table album in source default\. /)
  const refused = await newRun(engine).apply({ kind: 'Table', prior: state, planned: null, config: null })
  assert.equal(refused.state, state)
  assert.match(refused.diagnostics[0]?.summary ?? '', /is not deleted: something lies in it that no one deletes/)
  assert.match(refused.diagnostics[0]?.detail ?? '', /SelectPermission hand in table album[\s\S]*force_destroy = true/)
  const before = await objects()
  const forced = await deploy(newRun(engine), 'Table', state, { table: table('album'), force_destroy: true })
  assert.deepEqual(await objects(), before)
  await destroy(newRun(engine), 'Table', forced)
  assert.deepEqual(await objects(), [])
})

test('another table in place of one takes over what is in it and what leads to it, also of other clients', async () => {
  const run = newRun(engine)
  await deploy(run, 'Table', null, { table: table('artist') })
  const album = await deploy(run, 'Table', null, { table: table('album') })
  const user = await deploy(run, 'SelectPermission', null, permission())
  await must('pg_create_insert_permission', { table: 'album', role: 'hand', permission: { columns: [], check: {} } })
  const manual_configuration = { remote_table: 'album', column_mapping: { id: 'artist_id' } }
  await must('pg_create_array_relationship', { table: 'artist', name: 'albums', using: { manual_configuration } })
  await must('add_inherited_role', { role_name: 'editor', role_set: ['user'] })
  const moved = newRun(engine)
  const planned = await plan(moved, 'Table', album, { table: table('song') })
  assert.deepEqual(planned.diagnostics.map(shown), [
    ['warning', 'Table default/public/album becomes Table default/public/song, and what names it is changed along', ''],
  ])
  assert.deepEqual((await plan(moved, 'SelectPermission', user, permission({ table: table('song') }))).diagnostics, [])
  const up = newRun(engine)
  await deploy(up, 'Table', album, { table: table('song') })
  const there = [
    'table artist',
    'array_relation albums in table artist',
    'table song',
    'insert_permission hand in table song',
    'select_permission user in table song',
    'inherited_role inherited role editor',
  ]
  assert.deepEqual(await objects(), there)
  const now = await deploy(up, 'SelectPermission', user, permission({ table: table('song') }))
  assert.equal(now.id, 'default/public/song/user')
  assert.deepEqual(await objects(), there)
})

/** The roles that a table's permissions are of, once a table and what lies in it were changed in one run. */
async function rolesAfter(
  changes: (up: Provider, states: readonly Values[]) => Promise<unknown>,
): Promise<readonly string[]> {
  await must('clear_metadata', {})
  const run = newRun(engine)
  const album = await deploy(run, 'Table', null, { table: table('album') })
  const user = await deploy(run, 'SelectPermission', null, permission())
  const guest = await deploy(run, 'SelectPermission', null, permission({ role: 'guest' }))
  await must('pg_create_select_permission', { table: 'album', role: 'hand', permission: { columns: [], filter: {} } })
  await changes(newRun(engine), [album, user, guest])
  const { body } = await engine.metadata('export_metadata', {})
  const tables: readonly {
    readonly table: { readonly name: string }
    readonly select_permissions: readonly { readonly role: string }[]
  }[] = body.sources[0].tables
  return tables.flatMap((one) => one.select_permissions.map(({ role }) => `${one.table.name} ${role}`))
}

test('a permission that changes its role while its table becomes another leaves none of its former role', async () => {
  const song = { table: table('song') }
  const become = (up: Provider, state: Values | undefined, role: string) =>
    deploy(up, 'SelectPermission', state ?? {}, permission({ ...song, role }))
  const move = (up: Provider, state: Values | undefined) => deploy(up, 'Table', state ?? {}, song)
  const both = ['song guest', 'song hand', 'song owner']
  assert.deepEqual(
    await rolesAfter(async (up, [album, user]) => [await move(up, album), await become(up, user, 'owner')]),
    both,
    'the table first',
  )
  assert.deepEqual(
    await rolesAfter((up, [album, user]) => Promise.all([move(up, album), become(up, user, 'owner')])),
    both,
    'the table next to it',
  )
  assert.deepEqual(
    await rolesAfter((up, [album, user]) => Promise.all([become(up, user, 'owner'), move(up, album)])),
    both,
    'the permission next to it',
  )
  const swap = (up: Provider, [album, user, guest]: readonly Values[]) =>
    Promise.all([become(up, user, 'guest'), move(up, album), become(up, guest, 'user')])
  assert.deepEqual(await rolesAfter(swap), ['song guest', 'song hand', 'song user'], 'two change theirs')
  const chain = async (up: Provider, [album, user, guest]: readonly Values[]) => {
    await move(up, album)
    await become(up, user, 'guest')
    await become(up, guest, 'owner')
  }
  assert.deepEqual(await rolesAfter(chain), ['song guest', 'song hand', 'song owner'], 'one gets what another had')
})

test('a permission that goes while its table becomes another does not remain in that', async () => {
  const gone = async (up: Provider, [album = {}, user = {}]: readonly Values[]) => {
    await deploy(up, 'Table', album, { table: table('song') })
    await destroy(up, 'SelectPermission', user)
  }
  assert.deepEqual(await rolesAfter(gone), ['song guest', 'song hand'])
})

test('what does not fit in its new place stops the change, and nothing has changed', async () => {
  const album = await deploy(newRun(engine), 'Table', null, { table: table('album') })
  await must('pg_create_select_permission', {
    table: 'album',
    role: 'hand',
    permission: { columns: ['title'], filter: {} },
  })
  const before = await objects()
  const { diagnostics } = await apply(newRun(engine, { preview_checks: 'off' }), 'Table', album, {
    table: table('artist'),
  })
  assert.match(diagnostics[0]?.summary ?? '', /column "title" does not exist/)
  assert.match(diagnostics[0]?.detail ?? '', /moved together with what is in it/)
  assert.deepEqual(await objects(), before)
})

test('a role that an inherited one is made of changes with its permission', async () => {
  const run = newRun(engine)
  await deploy(run, 'Table', null, { table: table('album') })
  const user = await deploy(run, 'SelectPermission', null, permission())
  const editor = await deploy(run, 'InheritedRole', null, { role_name: 'editor', role_set: ['user'] })
  const up = newRun(engine)
  await deploy(up, 'SelectPermission', user, permission({ role: 'guest' }))
  await deploy(up, 'InheritedRole', editor, { role_name: 'editor', role_set: ['guest'] })
  const { state } = await newRun(engine).read('InheritedRole', editor)
  assert.deepEqual(state?.role_set, ['guest'])
})

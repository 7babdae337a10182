import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { musicTables } from '../../../test/admin/music-names.ts'
import { startService, startServiceOn, type TestService } from '../../test/metadata-service.ts'
import { forkLimits } from './plan-forks.ts'

const op = (type: string, args: unknown = {}) => ({ type, args })
const track = (table: string, more = {}) => op('pg_track_table', { table, ...more })
const permission = (table: string, body: object = {}) =>
  op('pg_create_select_permission', { table, role: 'user', permission: { columns: '*', filter: {}, ...body } })
const albums = op('pg_create_array_relationship', {
  table: 'artist',
  name: 'albums',
  using: { foreign_key_constraint_on: { table: 'album', column: 'artist_id' } },
})
const byAlbum = { filter: { albums: { title: { _eq: 'x' } } } }

/** Adds operations to a plan, each in a request of its own; the body of the last answer. */
async function plan({ ask }: TestService, id: string, ...operations: readonly object[]) {
  let answer = { status: 0, body: null as never }
  for (const operation of operations)
    answer = (await ask('/v1/metadata', { ...operation, dry_run: { plan: id } })) as typeof answer
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body as {
    readonly resource_version: number
    readonly plan: { readonly id: string; readonly members: number; readonly expires_in: number }
    readonly results: readonly {
      readonly verdict: string
      readonly status: number
      readonly at: string
      readonly error: { readonly code: string; readonly error: string }
      readonly needs: readonly { readonly name: string; readonly key: unknown }[]
    }[]
    readonly changes: readonly { readonly change: string; readonly object: { readonly name: string } }[]
  }
}

const changed = ({ changes }: { readonly changes: readonly { change: string; object: { name: string } }[] }) =>
  changes.map(({ change, object }) => `${change} ${object.name}`)

test('a dry run stores nothing and says what it would have stored', async (t) => {
  const service = await startService(t, musicTables)
  const before = await service.metadata('export_metadata', {}, { version: 2 })
  const { status, body } = await service.metadata('bulk', [track('artist'), permission('artist')], { dry_run: true })
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), [
    'dry_run',
    'catalog_id',
    'resource_version',
    'results',
    'changes',
    'inconsistent_objects',
    'consistent_objects',
  ])
  assert.deepEqual(body.results, Array(2).fill({ verdict: 'ok', status: 200, result: { message: 'success' } }))
  assert.deepEqual(body.changes[1], {
    change: 'create',
    object: {
      type: 'select_permission',
      name: 'select_permission user in table artist in source default',
      key: { source: 'default', table: { name: 'artist', schema: 'public' }, role: 'user' },
    },
    old: null,
    new: { role: 'user', permission: { columns: '*', filter: {} } },
  })
  assert.deepEqual(await service.metadata('export_metadata', {}, { version: 2 }), before)
})

test('an error reports the value at fault next to the path of the contract', async (t) => {
  const service = await startService(t, musicTables)
  const wrong = permission('artist', { columns: ['id', 'no'] })
  const { body } = await service.metadata('bulk', [track('artist'), wrong, track('album')], { dry_run: true })
  assert.equal(body.results.length, 2)
  const { verdict, status, at, error } = body.results[1]
  assert.deepEqual(
    { verdict, status, at, path: error.path, code: error.code },
    {
      verdict: 'error',
      status: 400,
      at: '$.args[1].args.permission.columns[1]',
      path: '$.args[1].args',
      code: 'invalid-configuration',
    },
  )
  assert.deepEqual(body.changes, [])
})

test('a plan checks a table that exists as if it were tracked: a wrong column in it is an error at once', async (t) => {
  const service = await startService(t, musicTables)
  const id = randomUUID()
  const wrong = await plan(service, id, permission('artist', { columns: ['no'] }))
  assert.deepEqual([wrong.results[0]?.verdict, wrong.results[0]?.at], ['error', '$.args.permission.columns[0]'])
  const right = await plan(service, id, permission('artist'))
  assert.equal(right.results[0]?.verdict, 'ok')
  assert.deepEqual(changed(right), ['create select_permission user in table artist in source default'])
  const tracked = await plan(service, id, track('artist', { configuration: { custom_name: 'singer' } }))
  assert.deepEqual(changed(tracked), ['create table artist in source default'])
  assert.equal(tracked.plan.members, 3)
})

test('a table that the database lacks is an error, in a plan too', async (t) => {
  const service = await startService(t, musicTables)
  const id = randomUUID()
  for (const operation of [track('nothing'), permission('nothing')])
    assert.equal((await plan(service, id, operation)).results[0]?.verdict, 'error')
  const relationship = op('pg_create_object_relationship', {
    table: 'album',
    name: 'r',
    using: { manual_configuration: { remote_table: 'nothing', column_mapping: { id: 'id' } } },
  })
  assert.equal((await plan(service, id, relationship)).results[0]?.verdict, 'error')
})

test('a relationship that comes later makes a filter pending, and is all that it needed', async (t) => {
  const service = await startService(t, musicTables)
  const id = randomUUID()
  const waiting = await plan(service, id, permission('artist', byAlbum))
  const [result] = waiting.results
  assert.equal(result?.verdict, 'pending')
  assert.deepEqual(
    result?.needs.map(({ key }) => key),
    [{ source: 'default', table: { name: 'artist', schema: 'public' }, name: 'albums' }],
  )
  assert.deepEqual(changed(waiting), [])
  const mended = await plan(service, id, albums)
  assert.deepEqual(changed(mended).toSorted(), [
    'create array_relation albums in table artist in source default',
    'create select_permission user in table artist in source default',
  ])
  // once it is there its columns are checked
  const wrong = { filter: { albums: { no: { _eq: 'x' } } } }
  const replaced = op('bulk_atomic', [
    op('pg_drop_select_permission', { table: 'artist', role: 'user' }),
    permission('artist', wrong),
  ])
  const { results } = await plan(service, id, replaced)
  assert.deepEqual(
    results.map(({ verdict }) => verdict),
    ['ok', 'error'],
  )
  assert.equal(results[1]?.at, '$.args[1].args.permission.filter.albums.no')
})

test('dropping what is used is pending, dropping what the fork no longer holds is fine', async (t) => {
  const service = await startService(t, musicTables)
  await service.metadata('bulk', [track('artist'), track('album'), albums, permission('artist', byAlbum)])
  const id = randomUUID()
  const drop = op('pg_drop_relationship', { table: 'artist', relationship: 'albums' })
  const waiting = await plan(service, id, drop)
  assert.equal(waiting.results[0]?.verdict, 'pending')
  assert.deepEqual(
    waiting.results[0]?.needs.map(({ name }) => name),
    ['select_permission user in table artist in source default'],
  )
  const dropped = await plan(service, id, op('pg_drop_select_permission', { table: 'artist', role: 'user' }))
  assert.deepEqual(changed(dropped).toSorted(), [
    'delete array_relation albums in table artist in source default',
    'delete select_permission user in table artist in source default',
  ])
  const again = await plan(service, id, drop)
  assert.deepEqual([again.results[0]?.verdict, changed(again)], ['ok', []])
  const untracked = await plan(service, id, op('pg_untrack_table', { table: 'artist' }))
  assert.equal(untracked.results[0]?.verdict, 'ok')
  const child = await plan(service, id, op('pg_drop_select_permission', { table: 'artist', role: 'user' }))
  assert.equal(child.results[0]?.verdict, 'ok')
})

test('a clash of names is an error in a plan', async (t) => {
  const service = await startService(t, musicTables)
  const clash = track('album', { configuration: { custom_name: 'artist' } })
  const { results } = await plan(service, randomUUID(), track('artist'), clash)
  assert.deepEqual([results[0]?.verdict, results[0]?.status], ['error', 500])
})

test('a name that only an assumed table has is free once that table is tracked under another one', async (t) => {
  const service = await startService(t, musicTables)
  const id = randomUUID()
  const clash = track('album', { configuration: { custom_name: 'artist' } })
  const { results } = await plan(service, id, permission('artist'), clash)
  assert.equal(results[0]?.verdict, 'pending')
  const tracked = await plan(service, id, track('artist', { configuration: { custom_name: 'singer' } }))
  assert.deepEqual(changed(tracked).toSorted(), [
    'create table album in source default',
    'create table artist in source default',
  ])
})

test('a source that comes later makes what is in it pending', async (t) => {
  const service = await startService(t, musicTables)
  const id = randomUUID()
  const inSecond = {
    ...track('artist'),
    args: { table: 'artist', source: 'second', configuration: { custom_name: 'a' } },
  }
  const waiting = await plan(service, id, inSecond)
  assert.deepEqual([waiting.results[0]?.verdict, waiting.results[0]?.needs[0]?.name], ['pending', 'source second'])
  const configuration = { connection_info: { database_url: service.databaseUrl } }
  const added = await plan(service, id, op('pg_add_source', { name: 'second', configuration }))
  assert.deepEqual(changed(added), ['create source second', 'create table artist in source second'])
})

test('an inherited role waits for roles that nothing names yet, and is there when something does', async (t) => {
  const service = await startService(t, musicTables)
  const id = randomUUID()
  const both = op('add_inherited_role', { role_name: 'both', role_set: ['guest', 'user'] })
  const waiting = await plan(service, id, op('bulk_keep_going', [track('artist'), both]))
  assert.deepEqual(
    [waiting.results[1]?.verdict, waiting.results[1]?.needs.map(({ name }: { name: string }) => name)],
    ['pending', ['inherited_role inherited role guest', 'inherited_role inherited role user']],
  )
  const users = permission('artist')
  const guests = op('pg_create_select_permission', {
    table: 'artist',
    role: 'guest',
    permission: { columns: '*', filter: {} },
  })
  const added = await plan(service, id, op('bulk_keep_going', [users, guests]))
  assert.deepEqual(changed(added).at(-1), 'create inherited_role inherited role both')
})

test('members of one request are checked each for itself, and a bulk that goes on reports all of them', async (t) => {
  const service = await startService(t, musicTables)
  const id = randomUUID()
  const members = [permission('artist', byAlbum), permission('album', { columns: ['no'] }), track('album'), albums]
  const { results, plan: kept } = await plan(service, id, op('bulk_keep_going', members))
  assert.deepEqual(
    results.map(({ verdict }) => verdict),
    ['pending', 'error', 'ok', 'ok'],
  )
  assert.equal(kept.members, 4)
})

test('two plans know nothing of each other', async (t) => {
  const service = await startService(t, musicTables)
  const [one, other] = [randomUUID(), randomUUID()]
  await plan(service, one, track('artist'))
  const { results, plan: kept } = await plan(service, other, track('artist'))
  assert.deepEqual([results[0]?.verdict, kept.members], ['ok', 1])
  assert.equal((await plan(service, one, track('artist'))).results[0]?.error.code, 'already-tracked')
})

test('a fork is made again on a version that another instance stored', async (t) => {
  const service = await startService(t, musicTables)
  const other = await startServiceOn(t, service.databaseUrl)
  const id = randomUUID()
  await plan(service, id, track('artist'), permission('artist'))
  await other.metadata('pg_track_table', { table: 'album' })
  const { resource_version, plan: kept, results } = await plan(service, id, albums)
  assert.deepEqual([resource_version, kept.members, results[0]?.verdict], [2, 3, 'ok'])
  assert.equal((await plan(service, id, track('album'))).results[0]?.error.code, 'already-tracked')
  assert.equal((await plan(service, id, permission('artist'))).results[0]?.error.code, 'already-exists')
})

test('forks are bounded in number: the one that was used least recently starts again', async (t) => {
  const service = await startService(t, musicTables)
  const first = randomUUID()
  await plan(service, first, track('artist'))
  for (let i = 0; i < forkLimits.plans; i++) await plan(service, randomUUID(), track('album'))
  const { plan: kept } = await plan(service, first, track('track'))
  assert.equal(kept.members, 1)
})

test('the tables and permissions of a plan may come in any order with the same end', async (t) => {
  const service = await startService(t, musicTables)
  const members = [track('artist'), track('album'), albums, permission('artist', byAlbum), permission('album')]
  const orders = [members, members.toReversed(), [members[3], members[0], members[4], members[2], members[1]]]
  for (const order of orders) {
    const id = randomUUID()
    const made: string[] = []
    for (const member of order) made.push(...changed(await plan(service, id, member ?? {})))
    assert.deepEqual(made.toSorted(), [
      'create array_relation albums in table artist in source default',
      'create select_permission user in table album in source default',
      'create select_permission user in table artist in source default',
      'create table album in source default',
      'create table artist in source default',
    ])
  }
})

test('a drop that breaks something waits for what it breaks, not for what it removes itself', async (t) => {
  const service = await startService(t, musicTables)
  const model = { name: 'titled', fields: [{ name: 'title', type: 'text' }] }
  const query = { root_field_name: 'titles', code: 'SELECT title FROM album', returns: 'titled' }
  const made = await service.metadata('bulk', [op('pg_track_logical_model', model), op('pg_track_native_query', query)])
  assert.equal(made.status, 200, JSON.stringify(made.body))
  const id = randomUUID()
  const drop = await plan(service, id, op('pg_untrack_logical_model', { name: 'titled' }))
  assert.deepEqual(
    drop.results.map(({ verdict, needs }) => [verdict, needs.map(({ name }) => name)]),
    [['pending', ['native_query titles in source default']]],
  )
  assert.deepEqual(changed(await plan(service, id, op('pg_untrack_native_query', { root_field_name: 'titles' }))), [
    'delete native_query titles in source default',
    'delete logical_model titled in source default',
  ])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { musicTables } from '../../../test/admin/music-names.ts'
import { startService, startServiceOn, type TestService } from '../../test/metadata-service.ts'

const op = (type: string, args: unknown = {}) => ({ type, args })
const track = (table: string) => op('pg_track_table', { table })
const select = (table: string, role: string, permission: object) =>
  op('pg_create_select_permission', { table, role, permission: { columns: '*', filter: {}, ...permission } })

async function done(service: TestService, ...operations: readonly object[]): Promise<void> {
  for (const operation of operations) {
    const { status, body } = await service.ask('/v1/metadata', operation)
    assert.equal(status, 200, JSON.stringify({ operation, body }))
  }
}

async function tablesOf({ metadata }: TestService, source = 'default') {
  const { body } = await metadata('export_metadata')
  return body.sources.find(({ name }: { name: string }) => name === source).tables
}

async function changesSince({ metadata }: TestService, version: number) {
  const { body } = await metadata('get_metadata_changes', { since_resource_version: version })
  return body.changes.map((one: { change: string; operation: string; object: { name: string } }) => [
    one.change,
    one.operation,
    one.object.name,
  ])
}

test('the first start stores the source default, as version 1', async (t) => {
  const { metadata } = await startService(t)
  const { body } = await metadata('export_metadata', {}, { version: 2 })
  assert.equal(body.resource_version, 1)
  assert.deepEqual(
    body.metadata.sources.map(({ name, kind, tables }: Record<string, unknown>) => ({ name, kind, tables })),
    [{ name: 'default', kind: 'postgres', tables: [] }],
  )
})

test('a version counts changes: an operation that leaves the document as it was makes none', async (t) => {
  const service = await startService(t, musicTables)
  await done(service, track('artist'))
  assert.equal(service.version(), 2)
  await done(service, op('pg_set_table_customization', { table: 'artist', configuration: {} }), op('reload_metadata'))
  assert.equal(service.version(), 2)
  await done(service, op('bulk', [track('album'), op('pg_untrack_table', { table: 'album' })]))
  assert.equal(service.version(), 2)
  await done(service, op('bulk', [track('album'), track('track')]))
  assert.equal(service.version(), 3)
})

test('the given version is accepted when it is the current one', async (t) => {
  const { metadata } = await startService(t, musicTables)
  const answer = await metadata('pg_track_table', { table: 'artist' }, { resource_version: 1 })
  assert.deepEqual(answer, { status: 200, body: { message: 'success' } })
})

const custom = (table: string, comment: string) =>
  op('pg_set_table_customization', { table, configuration: { comment } })

test('a condition refuses where one of its own objects was changed since, and only there', async (t) => {
  const service = await startService(t, musicTables)
  await done(service, track('artist'), track('album'))
  const since = service.version()
  await done(service, custom('artist', 'by another client'))
  const { body } = await service.metadata('bulk_keep_going', [
    { ...custom('artist', 'mine'), if_unchanged_since: since },
    { ...custom('album', 'mine'), if_unchanged_since: since },
    // in a table that was changed, itself not
    { ...select('artist', 'user', {}), if_unchanged_since: since },
    { ...op('bulk_atomic', [custom('album', 'again'), custom('artist', 'mine')]), if_unchanged_since: since },
    // what members before it did is no change of another client
    { ...custom('album', 'mine too'), if_unchanged_since: since },
    { ...op('pg_untrack_table', { table: 'artist' }), if_unchanged_since: since },
  ])
  const refused = (i: number) => ({
    error: `changed after version ${since}: table artist in source default`,
    path: `$.args[${i}].if_unchanged_since`,
    code: 'conflict',
  })
  const success = { message: 'success' }
  assert.deepEqual(body, [refused(0), success, success, refused(3), success, refused(5)])
  const comments = (await tablesOf(service)).map(
    (one: { configuration: { comment: string } }) => one.configuration.comment,
  )
  assert.deepEqual(comments, ['mine too', 'by another client'])
})

test('what was removed since, or is in what is removed, is a changed object too', async (t) => {
  const service = await startService(t, musicTables)
  await done(service, track('artist'), select('artist', 'user', {}))
  const since = service.version()
  await done(service, op('pg_drop_select_permission', { table: 'artist', role: 'user' }))
  const conditions = { if_unchanged_since: since }
  const again = await service.ask('/v1/metadata', { ...select('artist', 'user', {}), ...conditions })
  assert.equal(again.status, 409)
  assert.deepEqual(again.body, {
    error: `changed after version ${since}: select_permission user in table artist in source default`,
    path: '$.if_unchanged_since',
    code: 'conflict',
  })
  await done(service, select('artist', 'user', {}))
  const above = await service.metadata('pg_untrack_table', { table: 'artist', cascade: true }, conditions)
  assert.deepEqual([above.status, above.body.error], [409, again.body.error])
  const replaced = await service.metadata('replace_metadata', { metadata: { version: 3, sources: [] } }, conditions)
  assert.deepEqual([replaced.status, replaced.body.error], [409, again.body.error])
})

test('a condition is refused where nothing can be held to it', async (t) => {
  const service = await startService(t, musicTables)
  await done(service, track('artist'))
  const unknown = await service.ask('/v1/metadata', { ...track('album'), if_unchanged_since: 77 })
  assert.deepEqual([unknown.status, unknown.body.error], [409, 'what was changed after version 77 is not known'])
  const condition = { if_unchanged_since: 1 }
  const refusals = [
    ['/v1/metadata', { ...op('reload_metadata'), ...condition }, '$.if_unchanged_since'],
    ['/v1/metadata', { ...op('export_metadata'), ...condition }, '$.if_unchanged_since'],
    ['/v1/metadata', op('bulk_atomic', [{ ...track('album'), ...condition }]), '$.args[0].if_unchanged_since'],
    ['/v1/query', { ...op('track_table', { schema: 'public', name: 'album' }), ...condition }, '$.if_unchanged_since'],
    ['/v2/query', { ...op('run_sql', { sql: 'SELECT 1' }), ...condition }, '$.if_unchanged_since'],
  ] as const
  for (const [endpoint, body, path] of refusals) {
    const answer = await service.ask(endpoint, body)
    assert.deepEqual([answer.body.code, answer.body.path], ['not-supported', path], JSON.stringify(body))
  }
  assert.equal(service.version(), 2)
})

test('a name without prefix and the prefix postgres_ mean the pg_ operation', async (t) => {
  const service = await startService(t, musicTables)
  await done(service, op('track_table', { table: 'artist' }), op('postgres_untrack_table', { table: 'artist' }))
  assert.deepEqual(await tablesOf(service), [])
})

test('a cascade takes the dependents along and reports each of them as a change', async (t) => {
  const service = await startService(t, musicTables)
  const using = { foreign_key_constraint_on: { table: 'album', column: 'artist_id' } }
  await done(
    service,
    op('bulk', [
      track('artist'),
      track('album'),
      op('pg_create_array_relationship', { table: 'artist', name: 'albums', using }),
      select('artist', 'user', { filter: { albums: { year: { _gt: 1970 } } } }),
      select('album', 'user', {}),
    ]),
  )
  const version = service.version()
  await done(service, op('pg_untrack_table', { table: 'album', cascade: true }))
  assert.deepEqual(await tablesOf(service), [{ table: { name: 'artist', schema: 'public' } }])
  assert.deepEqual(
    (await changesSince(service, version)).toSorted(),
    [
      ['delete', 'pg_untrack_table', 'array_relation albums in table artist in source default'],
      ['delete', 'pg_untrack_table', 'select_permission user in table album in source default'],
      ['delete', 'pg_untrack_table', 'select_permission user in table artist in source default'],
      ['delete', 'pg_untrack_table', 'table album in source default'],
    ].toSorted(),
  )
})

test('a renamed relationship is renamed in the permissions that use it', async (t) => {
  const service = await startService(t, musicTables)
  const using = { foreign_key_constraint_on: 'artist_id' }
  await done(
    service,
    op('bulk', [
      track('artist'),
      track('album'),
      op('pg_create_object_relationship', { table: 'album', name: 'artist', using }),
      select('album', 'user', { filter: { artist: { name: { _eq: 'a' } } } }),
    ]),
    op('pg_rename_relationship', { table: 'album', name: 'artist', new_name: 'by' }),
  )
  const [album] = await tablesOf(service)
  assert.deepEqual(album.object_relationships[0].name, 'by')
  assert.deepEqual(album.select_permissions[0].permission.filter, { by: { name: { _eq: 'a' } } })
})

test('custom fields are exported as the customization is that says the same', async (t) => {
  const service = await startService(t, musicTables)
  const parts = { custom_root_fields: { select: 'artists' }, custom_column_names: { name: 'called' } }
  const customize = (configuration: object) =>
    done(service, op('pg_set_table_customization', { table: 'artist', configuration }))
  const configuration = async () => JSON.stringify((await tablesOf(service))[0].configuration)
  await done(service, track('artist'))
  await customize({ custom_name: 'singer', comment: 'who sings', ...parts })
  const expected = await configuration()
  await customize({ custom_name: 'singer', comment: 'who sings' })
  const { status } = await service.ask('/v1/query', {
    ...op('set_table_custom_fields', { table: 'artist', ...parts }),
    version: 2,
  })
  assert.equal(status, 200)
  assert.equal(await configuration(), expected)
})

test('comments are set and removed, of permissions of every kind that are stored', async (t) => {
  const service = await startService(t, musicTables)
  const { body } = await service.metadata('export_metadata')
  const permission = { role: 'user', permission: { filter: {} } }
  body.sources[0].tables = [{ table: 'artist', delete_permissions: [permission] }]
  await done(service, op('replace_metadata', body))
  const comment = (text: string | null) =>
    op('pg_set_permission_comment', { table: 'artist', role: 'user', type: 'delete', comment: text })
  await done(service, comment('why'))
  assert.equal((await tablesOf(service))[0].delete_permissions[0].comment, 'why')
  await done(service, comment(null))
  assert.deepEqual((await tablesOf(service))[0].delete_permissions[0], permission)
})

test('a bulk stops at its first error and leaves nothing; bulk_keep_going answers each member', async (t) => {
  const service = await startService(t, musicTables)
  const members = [track('artist'), track('nothing'), track('album')]
  assert.equal((await service.metadata('bulk', members)).status, 400)
  assert.deepEqual(await tablesOf(service), [])
  const { status, body } = await service.metadata('bulk_keep_going', members)
  assert.equal(status, 200)
  assert.deepEqual(
    body.map(
      (answer: { message?: string; code?: string; path?: string }) => answer.message ?? [answer.code, answer.path],
    ),
    ['success', ['invalid-configuration', '$.args[1].args'], 'success'],
  )
  assert.equal((await tablesOf(service)).length, 2)
  assert.equal(service.version(), 2)
})

test('only the end of an atomic bulk is checked: what is dropped in between may be missing in between', async (t) => {
  const service = await startService(t, musicTables)
  const relate = op('pg_create_object_relationship', {
    table: 'album',
    name: 'artist',
    using: { foreign_key_constraint_on: 'artist_id' },
  })
  await done(
    service,
    op('bulk_atomic', [
      track('album'),
      select('album', 'user', { filter: { artist: { id: { _eq: 1 } } } }),
      relate,
      track('artist'),
    ]),
  )
  const again = op('bulk_atomic', [op('pg_drop_relationship', { table: 'album', relationship: 'artist' }), relate])
  assert.deepEqual(await service.ask('/v1/metadata', again), { status: 200, body: { message: 'success' } })
  assert.equal(service.version(), 2)
})

test('inconsistent metadata is stored when allowed, listed in both forms, and dropped with what hangs below', async (t) => {
  const service = await startService(t, musicTables)
  const { body: metadata } = await service.metadata('export_metadata')
  metadata.sources[0].tables = [
    { table: 'artist', select_permissions: [{ role: 'user', permission: { columns: ['no'], filter: {} } }] },
    { table: 'nothing', select_permissions: [{ role: 'user', permission: { columns: '*', filter: {} } }] },
  ]
  const args = { allow_inconsistent_metadata: true, metadata }
  const { status, body } = await service.metadata('replace_metadata', args, { version: 2 })
  const names = ['select_permission user in table artist in source default', 'table nothing in source default']
  const nameOf = ({ name }: { name: string }) => name
  assert.deepEqual({ status, consistent: body.is_consistent }, { status: 200, consistent: false })
  assert.deepEqual(body.inconsistent_objects.map(nameOf).toSorted(), names)
  assert.equal((await tablesOf(service)).length, 2)
  assert.deepEqual((await service.metadata('get_inconsistent_metadata')).body.map(nameOf).toSorted(), names)
  const listed = await service.metadata('get_inconsistent_metadata', {}, { version: 2 })
  assert.deepEqual(Object.keys(listed.body), ['is_consistent', 'inconsistent_objects'])
  await done(service, op('drop_inconsistent_metadata'))
  assert.deepEqual(await tablesOf(service), [{ table: { name: 'artist', schema: 'public' } }])
})

test('what was broken before blocks no other operation', async (t) => {
  const service = await startService(t, musicTables)
  const { body: metadata } = await service.metadata('export_metadata')
  metadata.sources[0].tables = [{ table: 'nothing' }]
  await service.metadata('replace_metadata', { allow_inconsistent_metadata: true, metadata })
  await done(service, track('artist'), select('artist', 'user', {}), op('pg_untrack_table', { table: 'artist' }))
})

test('metadata of the forms without sources goes into the source default', async (t) => {
  const service = await startService(t, musicTables)
  await done(service, track('album'), op('replace_metadata', { tables: [{ table: 'artist' }] }))
  assert.deepEqual(await tablesOf(service), [{ table: { name: 'artist', schema: 'public' } }])
  await done(service, op('pg_drop_source', { name: 'default' }))
  const { body } = await service.metadata('replace_metadata', { tables: [] })
  assert.equal(body.code, 'not-supported')
})

test('clear_metadata keeps the bare entry of the source default and nothing else', async (t) => {
  const service = await startService(t, musicTables)
  const configuration = { connection_info: { database_url: service.databaseUrl } }
  await done(service, track('artist'), op('pg_add_source', { name: 'second', configuration }), op('clear_metadata'))
  const { body } = await service.metadata('export_metadata')
  assert.deepEqual(
    body.sources.map(({ name, tables }: Record<string, unknown>) => ({ name, tables })),
    [{ name: 'default', tables: [] }],
  )
})

test('reload_metadata serves what the database has become, without a new version', async (t) => {
  const service = await startService(t, musicTables)
  await done(service, track('artist'), select('artist', 'user', { columns: ['name'] }))
  const version = service.version()
  await service.sql('ALTER TABLE artist RENAME COLUMN name TO title')
  const broken = await service.metadata('reload_metadata')
  assert.equal(broken.body.is_consistent, false)
  assert.equal(broken.body.inconsistent_objects.length, 1)
  await service.sql('ALTER TABLE artist RENAME COLUMN title TO name')
  assert.deepEqual((await service.metadata('reload_metadata', { reload_sources: ['default'] })).body, {
    message: 'success',
    is_consistent: true,
  })
  assert.equal(service.version(), version)
})

test('a source that is replaced keeps its tables; one that is dropped takes them along', async (t) => {
  const service = await startService(t, musicTables)
  const configuration = { connection_info: { database_url: service.databaseUrl } }
  await done(
    service,
    op('pg_add_source', { name: 'second', configuration }),
    op('pg_track_table', { table: 'artist', source: 'second', configuration: { custom_name: 'second_artist' } }),
    op('pg_add_source', { name: 'second', configuration, replace_configuration: true, customization: {} }),
  )
  assert.equal((await tablesOf(service, 'second')).length, 1)
  const version = service.version()
  await done(service, op('pg_drop_source', { name: 'second' }))
  assert.deepEqual(await changesSince(service, version), [
    ['delete', 'pg_drop_source', 'source second'],
    ['delete', 'pg_drop_source', 'table artist in source second'],
  ])
})

test('an operation that is outrun by another instance is computed again on the newer document', async (t) => {
  const one = await startService(t, musicTables)
  const other = await startServiceOn(t, one.databaseUrl)
  await Promise.all(
    ['artist', 'album', 'track', 'playlist'].flatMap((table, i) => [
      done(i % 2 === 0 ? one : other, track(table)),
      done(i % 2 === 0 ? other : one, op('bulk', [track(table === 'artist' ? 'long_track' : 'nothing')])).catch(
        () => {},
      ),
    ]),
  )
  const tables = await tablesOf(one)
  assert.deepEqual(await tablesOf(other), tables)
  assert.deepEqual(
    tables.map(({ table }: { table: { name: string } }) => table.name),
    ['album', 'artist', 'long_track', 'playlist', 'track'],
  )
  assert.equal(one.version(), 6)
})

test('tables made after the start are found by metadata that is replaced, and by another instance that is notified of them', async (t) => {
  const one = await startService(t)
  const other = await startServiceOn(t, one.databaseUrl)
  await one.sql(musicTables)
  await done(one, track('artist'))
  const { body: metadata } = await one.metadata('export_metadata')
  metadata.sources[0].tables.push({ table: 'album' })
  await done(one, op('replace_metadata', metadata))
  await one.sql('ALTER TABLE artist ADD COLUMN fame int')
  await done(one, op('pg_untrack_table', { table: 'artist' }), track('artist'))
  await done(one, select('artist', 'user', { columns: ['fame'] }))
  assert.equal((await tablesOf(other)).length, 2)
  assert.deepEqual((await other.metadata('get_inconsistent_metadata')).body, [])
})

test('tables made after the start are found by replaced metadata that also names new functions or queries', async (t) => {
  const service = await startService(t)
  await service.sql(
    `${musicTables}; CREATE FUNCTION shout(artist) RETURNS text STABLE LANGUAGE sql AS $$ SELECT upper($1.name) $$`,
  )
  const { body: metadata } = await service.metadata('export_metadata')
  const [source] = metadata.sources
  const field = { name: 'shout', definition: { function: 'shout' } }
  metadata.sources = [{ ...source, tables: [{ table: 'artist', computed_fields: [field] }] }]
  await done(service, op('replace_metadata', metadata))
  assert.deepEqual((await service.metadata('get_inconsistent_metadata')).body, [])
})

test('an operation for a version that another instance has left is refused', async (t) => {
  const one = await startService(t, musicTables)
  const other = await startServiceOn(t, one.databaseUrl)
  await done(other, track('artist'))
  const { status, body } = await one.metadata('pg_track_table', { table: 'album' }, { resource_version: 1 })
  assert.deepEqual([status, body.code], [409, 'conflict'])
})

test('a role other than admin may insert on /v1/query when a permission allows it, which none does yet', async (t) => {
  const { ask } = await startService(t, `${musicTables}`)
  await ask('/v1/query', { type: 'track_table', args: { name: 'artist' } })
  const insert = { type: 'insert', args: { table: 'artist', objects: [{ name: 'a' }], returning: ['id', 'name'] } }
  assert.equal((await ask('/v1/query', insert, 'user')).body.code, 'permission-denied')
  assert.deepEqual((await ask('/v1/query', insert)).body, { affected_rows: 1, returning: [{ id: 1, name: 'a' }] })
})

test('an operation on one table resolves that table and its dependents again, no other table', async (t) => {
  const many = Array.from({ length: 60 }, (_, i) => `CREATE TABLE t${i} (id int PRIMARY KEY, name text);`).join('')
  const service = await startService(t, many)
  const tables = Array.from({ length: 60 }, (_, i) => `t${i}`)
  await done(
    service,
    op('pg_track_tables', { tables }),
    op(
      'bulk',
      tables.map((table) => select(table, 'user', {})),
    ),
  )
  const rebuiltBy = async (operation: object) => {
    const updated = service.observer.next('model-updated')
    await done(service, operation)
    return (await updated).rebuilt
  }
  assert.ok((await rebuiltBy(select('t7', 'editor', {}))) <= 2)
  assert.ok((await rebuiltBy(op('pg_set_table_customization', { table: 't7', configuration: { comment: 'x' } }))) <= 4)
  assert.ok((await rebuiltBy(op('pg_untrack_table', { table: 't8' }))) <= 2)
  assert.ok((await rebuiltBy(track('t8'))) <= 2)
})

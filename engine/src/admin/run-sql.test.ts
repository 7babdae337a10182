import assert from 'node:assert/strict'
import { test } from 'node:test'
import { musicTables } from '../../../test/admin/music-names.ts'
import { startService, type TestService } from '../../test/metadata-service.ts'

const using = { foreign_key_constraint_on: { table: 'album', column: 'artist_id' } }
const members = [
  { type: 'pg_track_tables', args: { tables: ['artist', 'album', 'playlist'] } },
  {
    type: 'pg_set_table_customization',
    args: { table: 'artist', configuration: { column_config: { born: { comment: 'day' } } } },
  },
  { type: 'pg_create_array_relationship', args: { table: 'artist', name: 'albums', using } },
  {
    type: 'pg_create_select_permission',
    args: {
      table: 'artist',
      role: 'user',
      permission: { columns: ['id'], filter: { albums: { title: { _eq: 'x' } } } },
    },
  },
]

async function start(t: Parameters<typeof startService>[0]): Promise<TestService> {
  const service = await startService(t, musicTables)
  const { status, body } = await service.metadata('bulk', members)
  assert.equal(status, 200, JSON.stringify(body))
  return service
}

const run = ({ ask }: TestService, sql: string, more = {}) =>
  ask('/v2/query', { type: 'run_sql', args: { sql, ...more } })

async function tablesOf({ metadata }: TestService) {
  const { body } = await metadata('export_metadata')
  return Object.fromEntries(
    body.sources[0].tables.map((table: { table: { name: string } }) => [table.table.name, table]),
  )
}

test('renamed tables and columns are renamed wherever metadata names them, in one version', async (t) => {
  const service = await start(t)
  const { body } = await run(
    service,
    'ALTER TABLE album RENAME TO record; ALTER TABLE record RENAME title TO name; ALTER TABLE artist RENAME born TO birth',
  )
  assert.deepEqual(body, { result_type: 'CommandOk', result: null })
  const { artist, record } = await tablesOf(service)
  assert.ok(record)
  assert.deepEqual(artist.array_relationships[0].using.foreign_key_constraint_on.table.name, 'record')
  assert.deepEqual(artist.select_permissions[0].permission.filter, { albums: { name: { _eq: 'x' } } })
  assert.deepEqual(artist.configuration.column_config, { birth: { comment: 'day' } })
  assert.equal(service.version(), 3)
})

test('tables that exchange their names exchange them in metadata', async (t) => {
  const service = await start(t)
  await run(
    service,
    'ALTER TABLE artist RENAME TO tmp; ALTER TABLE playlist RENAME TO artist; ALTER TABLE tmp RENAME TO playlist',
  )
  const { artist, playlist } = await tablesOf(service)
  assert.equal(artist.select_permissions, undefined)
  assert.equal(playlist.select_permissions.length, 1)
})

test('a dropped table is removed from metadata; if other objects depend on it the SQL needs cascade, and is rolled back without', async (t) => {
  const service = await start(t)
  assert.equal((await run(service, 'DROP TABLE playlist CASCADE')).status, 200)
  assert.equal((await tablesOf(service)).playlist, undefined)
  const refused = await run(service, 'DROP TABLE album CASCADE')
  assert.deepEqual([refused.body.code, refused.body.path], ['dependency-error', '$'])
  assert.equal((await run(service, 'SELECT count(*) FROM album')).status, 200)
  const dropped = await run(service, 'DROP TABLE album CASCADE', { cascade: true })
  assert.equal(dropped.status, 200, JSON.stringify(dropped.body))
  const { album, artist } = await tablesOf(service)
  assert.deepEqual([album, artist.array_relationships, artist.select_permissions], [undefined, undefined, undefined])
})

test('a dropped column leaves the configuration of its table', async (t) => {
  const service = await start(t)
  assert.equal((await run(service, 'ALTER TABLE artist DROP COLUMN born')).status, 200)
  assert.equal((await tablesOf(service)).artist.configuration, undefined)
})

test('a dropped foreign key takes its relationship along with cascade only', async (t) => {
  const service = await start(t)
  const sql = 'ALTER TABLE album DROP CONSTRAINT album_artist_id_fkey'
  assert.equal((await run(service, sql)).body.code, 'dependency-error')
  assert.equal((await run(service, sql, { cascade: true })).status, 200)
  assert.equal((await tablesOf(service)).artist.array_relationships, undefined)
})

test('without the check metadata remains as it is, and is broken once it is read again', async (t) => {
  const service = await start(t)
  assert.equal((await run(service, 'DROP TABLE playlist CASCADE', { check_metadata_consistency: false })).status, 200)
  assert.deepEqual((await service.metadata('get_inconsistent_metadata')).body, [])
  assert.equal((await service.metadata('reload_metadata')).body.inconsistent_objects.length, 1)
})

test('a read-only script may not write', async (t) => {
  const service = await start(t)
  const { body } = await run(service, 'DROP TABLE playlist', { read_only: true })
  assert.deepEqual([body.code, body.internal.error.status_code], ['postgres-error', '25006'])
})

test('SQL in a bulk is seen by the members after it, and remains when one of them fails', async (t) => {
  const service = await start(t)
  const bulk = (last: object) => ({
    type: 'bulk',
    args: [
      {
        type: 'run_sql',
        args: { sql: 'CREATE TABLE fresh (id int primary key); ALTER TABLE album ADD COLUMN seen int' },
      },
      { type: 'track_table', args: { name: 'fresh' } },
      { type: 'insert', args: { table: 'fresh', objects: [{ id: 1 }] } },
      last,
    ],
  })
  const failed = await service.ask('/v1/query', bulk({ type: 'track_table', args: { name: 'nothing' } }))
  assert.deepEqual([failed.status, failed.body.path], [400, '$.args[3].args'])
  assert.equal((await tablesOf(service)).fresh, undefined)
  const { body } = await run(service, 'SELECT id FROM fresh')
  assert.deepEqual(body.result, [['id'], ['1']])
  await run(service, 'DROP TABLE fresh; ALTER TABLE album DROP COLUMN seen')
  const whole = await service.ask('/v1/query', bulk({ type: 'untrack_table', args: { table: 'fresh' } }))
  assert.equal(whole.status, 200, JSON.stringify(whole.body))
})

test('SQL that fails at its commit leaves metadata as it was', async (t) => {
  const service = await start(t)
  const before = JSON.stringify((await service.metadata('export_metadata')).body)
  await service.sql('CREATE TABLE late (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)')
  const { status, body } = await run(service, 'ALTER TABLE playlist RENAME TO list; INSERT INTO late VALUES (1), (1)')
  assert.deepEqual([status, body.code], [400, 'postgres-error'])
  assert.equal(JSON.stringify((await service.metadata('export_metadata')).body), before)
  assert.equal((await run(service, 'SELECT 1 FROM playlist')).status, 200)
})

test('what refused SQL leaves behind is served as it is', async (t) => {
  const service = await start(t)
  const committed = await run(service, 'ALTER TABLE artist ADD COLUMN kept int; COMMIT; ALTER TABLE nothing ADD x int')
  assert.equal(committed.body.code, 'postgres-error')
  assert.ok(service.service.current().model.tables.get('default/public.artist')?.columnsByName.has('kept'))
  const bad = 'ALTER TABLE artist ADD COLUMN "no name" int'
  const refused = await run(service, bad, { no_transaction: true })
  assert.equal(refused.body.error, 'cannot continue due to newly found inconsistent metadata')
  const { body } = await service.metadata('get_inconsistent_metadata')
  assert.deepEqual(
    body.map(({ name }: { name: string }) => name),
    ['table artist in source default'],
  )
})

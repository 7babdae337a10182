import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/postgres.ts'
import { postgres } from '../backends/index.ts'
import { connect } from '../backends/postgres/index.ts'
import { Path } from '../errors.ts'
import type { ReadySource } from '../sources/index.ts'
import { documentOf, settings } from './music.fixture.ts'
import { updateModel } from './update-model.ts'

const tables = `
  CREATE TABLE artist (id serial PRIMARY KEY, name text NOT NULL, born date);
  CREATE TABLE album (id serial PRIMARY KEY, title text NOT NULL, artist_id int NOT NULL REFERENCES artist);
  CREATE TABLE track (id serial PRIMARY KEY, album_id int REFERENCES album, length interval);
  CREATE VIEW hit AS SELECT id, title FROM album;`

test('DDL resolves again what it touches in a real database, and nothing else', async (t) => {
  const database = await createTestDatabase(t)
  const connection = await connect(
    {
      source: 'default',
      databaseUrl: database.url,
      maxConnections: 2,
      idleTimeout: 10,
      connectionLifetime: 600,
      poolTimeout: null,
      retries: 0,
      isolationLevel: 'read-committed',
      usePreparedStatements: true,
      extensionsSchema: null,
      ssl: null,
    },
    () => {},
  )
  t.after(() => connection.close())
  const run = (sql: string) => connection.runSql?.({ sql, readOnly: false, noTransaction: false }, Path.root, null)
  await run(tables)

  const document = documentOf([
    { table: 'artist', select_permissions: [{ role: 'user', permission: { columns: ['name'], filter: {} } }] },
    {
      table: 'album',
      object_relationships: [{ name: 'artist', using: { foreign_key_constraint_on: 'artist_id' } }],
      select_permissions: [
        { role: 'user', permission: { columns: '*', filter: { artist: { name: { _eq: 'X-Svc-Name' } } } } },
      ],
    },
    { table: 'track', object_relationships: [{ name: 'album', using: { foreign_key_constraint_on: 'album_id' } }] },
    { table: 'hit' },
  ])
  const introspection = await connection.introspect(null)
  const state: ReadySource = {
    status: 'ready',
    name: 'default',
    backend: postgres,
    configuration: {},
    introspection,
    enums: new Map(),
    functions: new Map(),
    queries: { checked: new Map(), types: new Map() },
    connection,
  }
  const first = updateModel(null, { document, settings, sources: new Map([['default', state]]) })
  assert.deepEqual([...first.inconsistencies.values()], [])
  assert.equal(first.tables.get('default/public.album')?.relationships.get('artist')?.nullable, false)
  assert.equal(first.tables.get('default/public.track')?.relationships.get('album')?.nullable, true)
  assert.equal(first.roots.query.has('hit_by_pk'), false)

  await run('ALTER TABLE artist DROP COLUMN name')
  const changed = { ...state, introspection: await connection.introspect(introspection) }
  const second = updateModel(first, { document, settings, sources: new Map([['default', changed]]) })
  assert.deepEqual([...second.inconsistencies.values()].map(({ name, reason }) => `${name}: ${reason}`).sort(), [
    'select_permission user in table album in source default: Inconsistent object: in table "album": in permission for role "user": column "name" does not exist',
    'select_permission user in table artist in source default: Inconsistent object: in table "artist": in permission for role "user": column "name" does not exist',
  ])
  assert.equal(second.tables.get('default/public.track'), first.tables.get('default/public.track'))
  // the source, artist, its permission, the relationship to it, the permission that looks into it
  assert.equal(second.rebuilt, 5)
})

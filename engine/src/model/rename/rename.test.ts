import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, isRecord, type JsonObject, ownKey, readMetadata, tableAddress, writeMetadata } from '@svc/schema'
import type { ReadyRemote } from '../../remote-schemas/index.ts'
import { documentOf, inputOf, introspection, music, ready, settings, sourceOf } from '../music.fixture.ts'
import { updateModel } from '../update-model.ts'
import { renameInDatabase } from './rename-in-database.ts'
import { renameRelationship } from './rename-relationship.ts'

const relationship = (name: string, using: JsonObject) => ({ name, using })
const select = (filter: JsonObject, columns: readonly string[] | '*' = '*') => ({
  select_permissions: [{ role: 'user', permission: { columns, filter } }],
})
const artistOfAlbum = relationship('artist', { foreign_key_constraint_on: 'artist_id' })
const albumsOfArtist = relationship('albums', { foreign_key_constraint_on: { table: 'album', column: 'artist_id' } })
const modelOf = (tables: readonly JsonObject[]) => updateModel(null, inputOf(tables))

test('a relationship gets its new name in every expression that goes over it, and only there', () => {
  const model = modelOf([
    // a relationship of the same name on another table stays
    { table: 'artist', array_relationships: [albumsOfArtist], ...select({ albums: { artist: { id: 1 } } }) },
    {
      table: 'album',
      object_relationships: [artistOfAlbum],
      insert_permissions: [{ role: 'user', permission: { check: { artist: { name: 'x' } } } }],
    },
    {
      table: 'track',
      object_relationships: [relationship('artist', { foreign_key_constraint_on: 'album_id' })],
      ...select({ _or: [{ artist: { artist: { name: 'artist' } } }, { _not: { artist: {} } }] }),
      update_permissions: [
        {
          role: 'user',
          permission: {
            columns: [],
            filter: { _exists: { _table: 'album', _where: { artist: { name: { _eq: 'artist' } } } } },
            check: null,
          },
        },
      ],
    },
  ])
  assert.deepEqual([...model.inconsistencies.values()], [])
  const at = address(
    'object_relation',
    ownKey('object_relation', { name: 'artist' }),
    tableAddress('default', { schema: 'public', name: 'album' }),
  )
  const { document, touched } = renameRelationship(model, at, 'by')
  assert.deepEqual(
    writeMetadata(document),
    writeMetadata(
      documentOf([
        { table: 'artist', array_relationships: [albumsOfArtist], ...select({ albums: { by: { id: 1 } } }) },
        {
          table: 'album',
          object_relationships: [{ ...artistOfAlbum, name: 'by' }],
          insert_permissions: [{ role: 'user', permission: { check: { by: { name: 'x' } } } }],
        },
        {
          table: 'track',
          object_relationships: [relationship('artist', { foreign_key_constraint_on: 'album_id' })],
          ...select({ _or: [{ artist: { by: { name: 'artist' } } }, { _not: { artist: {} } }] }),
          update_permissions: [
            {
              role: 'user',
              permission: {
                columns: [],
                filter: { _exists: { _table: 'album', _where: { by: { name: { _eq: 'artist' } } } } },
                check: null,
              },
            },
          ],
        },
      ]),
    ),
  )
  assert.equal(touched.length, 2 + 4)
  assert.equal(updateModel(model, { ...model.input, document }).inconsistencies.size, 0)
})

/** A document that names `artist`, its `name` and `id`, and `album.artist_id`, wherever one can. */
function naming(names: { artist: string; name: string; id: string; artistId: string }): JsonObject {
  const { artist, name, id, artistId } = names
  const table = { schema: 'public', name: artist }
  const webhook = { webhook: 'http://localhost', retry_conf: { num_retries: 0, interval_sec: 10, timeout_sec: 60 } }
  const tables = [
    {
      table,
      configuration: {
        column_config: { [name]: { custom_name: 'title' } },
        custom_column_names: {},
        custom_root_fields: {},
      },
      array_relationships: [
        relationship('albums', { foreign_key_constraint_on: { table: 'album', column: artistId } }),
        relationship('mapped', {
          manual_configuration: { remote_table: 'album', column_mapping: { [id]: artistId }, insertion_order: null },
        }),
      ],
      remote_relationships: [
        {
          name: 'elsewhere',
          definition: {
            to_source: {
              relationship_type: 'object',
              source: 'other',
              table: { schema: 'public', name: 'artist' },
              field_mapping: { [id]: 'name' },
            },
          },
        },
        {
          name: 'remote',
          definition: {
            to_remote_schema: {
              remote_schema: 'cms',
              lhs_fields: [name],
              remote_field: { person: { arguments: { name: `$${name}` } } },
            },
          },
        },
      ],
      insert_permissions: [{ role: 'user', permission: { check: {}, columns: [name], set: { [id]: 'x-svc-id' } } }],
      select_permissions: [
        {
          role: 'user',
          permission: {
            columns: [id, name],
            filter: {
              _and: [{ [id]: { _ceq: [id] } }, { albums: { [artistId]: { $ceq: ['$', id] }, title: 'name' } }],
            },
          },
        },
      ],
      event_triggers: [
        {
          name: 'changed',
          definition: { enable_manual: false, update: { columns: [name], payload: '*' } },
          ...webhook,
        },
      ],
    },
    {
      table: 'album',
      object_relationships: [relationship('artist', { foreign_key_constraint_on: artistId })],
      ...select({ artist: { [name]: { _eq: 'X-Svc-Name' } } }, ['id', artistId]),
    },
    {
      table: 'track',
      array_relationships: [
        relationship('anyone', { manual_configuration: { remote_table: table, column_mapping: { name } } }),
      ],
      // its own columns id and name are other columns
      ...select({ _exists: { _table: table, _where: { [name]: { _cne: name }, [id]: 1 } }, id: 1, name: 'name' }),
    },
  ]
  const other = {
    table: 'artist',
    configuration: { custom_name: 'somebody' },
    remote_relationships: [
      {
        name: 'back',
        definition: {
          to_source: { relationship_type: 'array', source: 'default', table, field_mapping: { name: name } },
        },
      },
    ],
    ...select({ name: 'x', id: 1 }),
  }
  return {
    version: 3,
    sources: [sourceOf('default', tables), sourceOf('other', [other])],
    remote_schemas: [{ name: 'cms', definition: { url: 'http://cms' } }],
    custom_types: {
      objects: [
        {
          name: 'Result',
          fields: [{ name: 'name', type: 'String' }],
          relationships: [
            { name: 'artist', type: 'object', source: 'default', remote_table: table, field_mapping: { name } },
          ],
        },
      ],
    },
  } as JsonObject
}

const before = { artist: 'artist', name: 'name', id: 'id', artistId: 'artist_id' }

const person = { name: 'person', description: null, type: { kind: 'named', name: 'String' } } as const
const cms: ReadyRemote = {
  status: 'ready',
  name: 'cms',
  definition: { url: 'http://cms.invalid/graphql', timeout_seconds: 60, headers: [], forward_client_headers: false },
  introspection: null,
  types: {
    types: new Map([
      [
        'Query',
        {
          kind: 'OBJECT',
          name: 'Query',
          description: null,
          interfaces: [],
          fields: new Map([
            ['person', { ...person, args: new Map([['name', { ...person, name: 'name', defaultValue: null }]]) }],
          ]),
        },
      ],
    ]),
    roots: { query: 'Query', mutation: null, subscription: null },
  },
  naming: { namespace: null, types: new Map(), fields: new Map() },
}

function modelNaming() {
  const database = introspection(music)
  const sources = new Map(['default', 'other'].map((name) => [name, ready(name, database)]))
  const remotes = new Map([['cms', cms]])
  const model = updateModel(null, { document: documentOf(naming(before)), sources, remotes, settings })
  assert.deepEqual([...model.inconsistencies.values()], [])
  return model
}

const artist = { schema: 'public', name: 'artist' }

test('a renamed table is followed by every reference to it', () => {
  const tables = [{ from: artist, to: { schema: 'public', name: 'person' } }]
  const document = renameInDatabase(modelNaming(), 'default', { tables, columns: [] })
  assert.deepEqual(writeMetadata(document), writeMetadata(documentOf(naming({ ...before, artist: 'person' }))))
})

test('a renamed column is followed by every reference to it', () => {
  const columns = [
    { table: artist, from: 'name', to: 'called' },
    { table: { schema: 'public', name: 'album' }, from: 'artist_id', to: 'person' },
  ]
  const document = renameInDatabase(modelNaming(), 'default', { tables: [], columns })
  const names = { ...before, name: 'called', artistId: 'person' }
  assert.deepEqual(writeMetadata(document), writeMetadata(documentOf(naming(names))))
})

test('a table and its columns renamed at once, columns exchanged', () => {
  const document = renameInDatabase(modelNaming(), 'default', {
    tables: [{ from: artist, to: { schema: 'public', name: 'person' } }],
    columns: [
      { table: artist, from: 'name', to: 'id' },
      { table: artist, from: 'id', to: 'name' },
    ],
  })
  const names = { ...before, artist: 'person', name: 'id', id: 'name' }
  assert.deepEqual(sortColumns(writeMetadata(document)), sortColumns(writeMetadata(documentOf(naming(names)))))
})

test('tables may exchange their names', () => {
  const album = { schema: 'public', name: 'album' }
  const model = modelOf([
    { table: 'artist', select_permissions: [{ role: 'a', permission: { columns: '*', filter: {} } }] },
    { table: 'album', select_permissions: [{ role: 'b', permission: { columns: '*', filter: {} } }] },
  ])
  const document = renameInDatabase(model, 'default', {
    tables: [
      { from: artist, to: album },
      { from: album, to: artist },
    ],
    columns: [],
  })
  const expected = documentOf([
    { table: 'album', select_permissions: [{ role: 'a', permission: { columns: '*', filter: {} } }] },
    { table: 'artist', select_permissions: [{ role: 'b', permission: { columns: '*', filter: {} } }] },
  ])
  assert.deepEqual(writeMetadata(document), writeMetadata(expected))
})

test('what comes out of a rename is canonical', () => {
  const tables = [{ from: artist, to: { schema: 'public', name: 'person' } }]
  const json = writeMetadata(
    renameInDatabase(modelNaming(), 'default', { tables, columns: [{ table: artist, from: 'id', to: 'zid' }] }),
  )
  const read = readMetadata(json)
  assert.ok(read.ok)
  assert.equal(JSON.stringify(writeMetadata(read.document)), JSON.stringify(json))
})

/** Exchanged columns come in the other order in a list. */
function sortColumns(json: unknown): unknown {
  if (Array.isArray(json)) {
    const items = json.map(sortColumns)
    return items.every((item) => typeof item === 'string') ? items.sort() : items
  }
  if (!isRecord(json)) return json
  return Object.fromEntries(Object.entries(json).map(([key, part]) => [key, sortColumns(part)]))
}

test('custom types without objects remain as they are when a table is renamed', () => {
  const custom_types = { scalars: [{ name: 'Money' }] }
  const metadata = { version: 3, sources: [sourceOf('default', [{ table: 'artist' }])], custom_types } as JsonObject
  const sources = new Map([['default', ready('default', introspection(music))]])
  const model = updateModel(null, { document: documentOf(metadata), sources, settings })
  const tables = [{ from: artist, to: { schema: 'public', name: 'person' } }]
  const document = renameInDatabase(model, 'default', { tables, columns: [] })
  assert.deepEqual(writeMetadata(document).custom_types, custom_types)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@svc/schema'
import type { Model } from './model.ts'
import { documentOf, inputOf, music, settings, sourceOf, type TableSketch, unavailable } from './music.fixture.ts'
import { updateModel } from './update-model.ts'

const build = (tables: readonly JsonObject[], sketches: Readonly<Record<string, TableSketch>> = music): Model =>
  updateModel(null, inputOf(tables, sketches))

/** Every inconsistency: name, reason, cause, and where in the value. */
const told = (model: Model) =>
  [...model.inconsistencies]
    .map(([key, object]) => {
      const fault = model.faults.get(key)
      return [object.name, object.reason, fault?.cause, fault?.at.join('.')]
    })
    .sort()

const artist = { table: 'artist' }
const album = { table: 'album' }
const relationship = (name: string, using: JsonObject) => ({ name, using })
const select = (permission: JsonObject) => ({
  select_permissions: [{ role: 'user', permission: { columns: '*', filter: {}, ...permission } }],
})

/** [what it shows, tables, name, reason, cause, at] of the only inconsistency. */
type Case = readonly [string, readonly JsonObject[], string, string, string, string]

const onArtist = 'in table artist in source default'
const forUser = 'Inconsistent object: in table "artist": in permission for role "user": '
const inAlbums = 'Inconsistent object: in table "artist": in relationship "albums": '

const cases: readonly Case[] = [
  [
    'a table that the database lacks',
    [{ table: { schema: 'shop', name: 'gone' } }],
    'table shop.gone in source default',
    'Inconsistent object: no such table/view exists in source: "shop.gone"',
    'database',
    'table',
  ],
  [
    'configuration of an unknown column',
    [{ ...artist, configuration: { column_config: { nmae: { custom_name: 'x' } } } }],
    `table artist in source default`,
    'Inconsistent object: configuration was given for the column "nmae", but no such column exists',
    'database',
    'configuration.column_config.nmae',
  ],
  [
    'two columns with one field name',
    [{ ...artist, configuration: { column_config: { name: { custom_name: 'email' } } } }],
    `table artist in source default`,
    'Inconsistent object: the columns "name" and "email" of table "artist" have the same field name "email"',
    'clash',
    'configuration.column_config.name.custom_name',
  ],
  [
    'a custom name that GraphQL cannot have',
    [{ ...artist, configuration: { custom_name: 'an artist' } }],
    `table artist in source default`,
    'Inconsistent object: cannot include "artist" in the GraphQL schema because "an artist" is not a valid GraphQL identifier',
    'definition',
    'configuration.custom_name',
  ],
  [
    'a root field name that GraphQL cannot have',
    [{ ...artist, configuration: { custom_root_fields: { select: 'all artists' } } }],
    `table artist in source default`,
    'Inconsistent object: custom root field name "all artists" is not a valid GraphQL identifier',
    'definition',
    'configuration.custom_root_fields.select',
  ],
  [
    'a second table of a name',
    [artist, { ...album, configuration: { custom_name: 'artist' } }],
    'table artist in source default',
    'Conflicting objects: conflicting definitions for field "artist"',
    'clash',
    'table',
  ],
  [
    'a root field that another table has',
    [{ table: 'album' }, { ...artist, configuration: { custom_root_fields: { select: 'album_by_pk' } } }],
    'table artist in source default',
    'Conflicting objects: conflicting definitions for field "album_by_pk"',
    'clash',
    'configuration.custom_root_fields.select',
  ],
  [
    'a root field of the table itself',
    [{ ...artist, configuration: { custom_root_fields: { select: 'artist_by_pk' } } }],
    'table artist in source default',
    'Conflicting objects: conflicting definitions for field "artist_by_pk"',
    'clash',
    'table',
  ],
  [
    'a type that belongs to another table',
    [{ table: 'album' }, { ...artist, configuration: { custom_name: 'album_bool_exp' } }],
    'table artist in source default',
    'Conflicting objects: conflicting definitions for type "album_bool_exp"',
    'clash',
    'configuration.custom_name',
  ],
  [
    'a type that GraphQL has itself',
    [{ ...artist, configuration: { custom_name: 'Int' } }],
    'table artist in source default',
    'Conflicting objects: conflicting definitions for type "Int"',
    'clash',
    'configuration.custom_name',
  ],
  [
    'a relationship named like a column',
    [artist, { ...album, object_relationships: [relationship('title', { foreign_key_constraint_on: 'artist_id' })] }],
    'object_relation title in table album in source default',
    'Inconsistent object: field definition conflicts with postgres column',
    'clash',
    'name',
  ],
  [
    'a relationship named like the field of a column',
    [
      artist,
      {
        ...album,
        configuration: { column_config: { title: { custom_name: 'artist' } } },
        object_relationships: [relationship('artist', { foreign_key_constraint_on: 'artist_id' })],
      },
    ],
    'object_relation artist in table album in source default',
    'Inconsistent object: field definition conflicts with custom field name for postgres column "title"',
    'clash',
    'name',
  ],
  [
    'an object and an array relationship of one name',
    [
      artist,
      {
        ...album,
        object_relationships: [relationship('by', { foreign_key_constraint_on: 'artist_id' })],
        array_relationships: [
          relationship('by', { manual_configuration: { remote_table: 'artist', column_mapping: { artist_id: 'id' } } }),
        ],
      },
    ],
    'array_relation by in table album in source default',
    'Conflicting objects: conflicting definitions for field "by"',
    'clash',
    'name',
  ],
  [
    'the aggregate of an array relationship where a column is',
    [
      album,
      {
        ...artist,
        configuration: { column_config: { born: { custom_name: 'albums_aggregate' } } },
        array_relationships: [
          relationship('albums', { foreign_key_constraint_on: { table: 'album', column: 'artist_id' } }),
        ],
      },
    ],
    `array_relation albums ${onArtist}`,
    'Conflicting objects: conflicting definitions for field "albums_aggregate"',
    'clash',
    'name',
  ],
  [
    'no foreign key on the own column',
    [artist, { ...album, object_relationships: [relationship('by', { foreign_key_constraint_on: 'title' })] }],
    'object_relation by in table album in source default',
    'Inconsistent object: in table "album": in relationship "by": no foreign constraint exists on the given column(s)',
    'database',
    'using.foreign_key_constraint_on',
  ],
  [
    'no foreign key on the column of the other table',
    [
      album,
      {
        ...artist,
        array_relationships: [
          relationship('albums', { foreign_key_constraint_on: { table: 'album', column: 'title' } }),
        ],
      },
    ],
    `array_relation albums ${onArtist}`,
    `${inAlbums}no foreign constraint exists on the given column(s)`,
    'database',
    'using.foreign_key_constraint_on.column',
  ],
  [
    'a foreign key to a table that is not tracked',
    [{ ...album, object_relationships: [relationship('by', { foreign_key_constraint_on: 'artist_id' })] }],
    'object_relation by in table album in source default',
    'Inconsistent object: table "artist" is not tracked',
    'metadata',
    'using.foreign_key_constraint_on',
  ],
  [
    'the foreign key of a table that is not tracked',
    [
      {
        ...artist,
        array_relationships: [
          relationship('albums', { foreign_key_constraint_on: { table: 'album', column: 'artist_id' } }),
        ],
      },
    ],
    `array_relation albums ${onArtist}`,
    'Inconsistent object: table "album" is not tracked',
    'metadata',
    'using.foreign_key_constraint_on.table',
  ],
  [
    'an own column that does not exist',
    [artist, { ...album, object_relationships: [relationship('by', { foreign_key_constraint_on: 'writer_id' })] }],
    'object_relation by in table album in source default',
    'Inconsistent object: table "album" has no column named "writer_id"',
    'database',
    'using.foreign_key_constraint_on',
  ],
  [
    'a mapped column that the other table lacks',
    [
      album,
      {
        ...artist,
        array_relationships: [
          relationship('albums', {
            manual_configuration: { remote_table: 'album', column_mapping: { id: 'writer_id' } },
          }),
        ],
      },
    ],
    `array_relation albums ${onArtist}`,
    'Inconsistent object: table "album" has no column named "writer_id"',
    'database',
    'using.manual_configuration.column_mapping.id',
  ],
  [
    'a column in a list of columns',
    [{ ...artist, ...select({ columns: ['name', 'nmae'] }) }],
    `select_permission user ${onArtist}`,
    `${forUser}column "nmae" does not exist`,
    'database',
    'permission.columns.1',
  ],
  [
    'a column in a filter',
    [{ ...artist, ...select({ filter: { $or: [{ nmae: { _eq: 'x' } }] } }) }],
    `select_permission user ${onArtist}`,
    `${forUser}column "nmae" does not exist`,
    'database',
    'permission.filter._or.0.nmae',
  ],
  [
    'what may be a relationship one day',
    [{ ...artist, ...select({ filter: { albums: { title: 'x' } } }) }],
    `select_permission user ${onArtist}`,
    `${forUser}column "albums" does not exist`,
    'metadata',
    'permission.filter.albums',
  ],
  [
    'a column behind a relationship',
    [
      artist,
      {
        ...album,
        object_relationships: [relationship('by', { foreign_key_constraint_on: 'artist_id' })],
        ...select({ filter: { by: { nmae: { _eq: 'X-Svc-Name' } } } }),
      },
    ],
    'select_permission user in table album in source default',
    'Inconsistent object: in table "album": in permission for role "user": column "nmae" does not exist',
    'database',
    'permission.filter.by.nmae',
  ],
  [
    '_exists over a table that is not tracked',
    [{ ...artist, ...select({ filter: { _exists: { _table: 'album', _where: {} } } }) }],
    `select_permission user ${onArtist}`,
    `${forUser}table "album" is not tracked`,
    'metadata',
    'permission.filter._exists._table',
  ],
  [
    'an unknown operator',
    [{ ...artist, ...select({ filter: { name: { _equals: 'x' } } }) }],
    `select_permission user ${onArtist}`,
    `${forUser}Unknown operator: _equals`,
    'definition',
    'permission.filter.name._equals',
  ],
  [
    'an operator that the type lacks',
    [{ ...artist, ...select({ filter: { id: { _like: 'x' } } }) }],
    `select_permission user ${onArtist}`,
    `${forUser}Unknown operator: _like`,
    'definition',
    'permission.filter.id._like',
  ],
  [
    'a value that is no boolean',
    [{ ...artist, ...select({ filter: { id: { _is_null: 'x-svc-null' } } }) }],
    `select_permission user ${onArtist}`,
    `${forUser}expected a boolean`,
    'definition',
    'permission.filter.id._is_null',
  ],
  [
    'a value that is no list',
    [{ ...artist, ...select({ filter: { id: { _in: 1 } } }) }],
    `select_permission user ${onArtist}`,
    `${forUser}expected a list`,
    'definition',
    'permission.filter.id._in',
  ],
  [
    'a text where the column has numbers',
    [{ ...artist, ...select({ filter: { _or: [{ id: 'many' }] } }) }],
    `select_permission user ${onArtist}`,
    `${forUser}invalid input syntax for type integer: "many"`,
    'definition',
    'permission.filter._or.0.id',
  ],
  [
    'a number that the column cannot hold, in a list',
    [{ ...artist, ...select({ filter: { id: { _in: ['1', '2147483648'] } } }) }],
    `select_permission user ${onArtist}`,
    `${forUser}value "2147483648" is out of range for type integer`,
    'definition',
    'permission.filter.id._in.1',
  ],
  [
    'a preset of another type than its column',
    [
      {
        ...artist,
        insert_permissions: [{ role: 'user', permission: { columns: '*', check: {}, set: { id: 'many' } } }],
      },
    ],
    `insert_permission user ${onArtist}`,
    `${forUser}invalid input syntax for type integer: "many"`,
    'definition',
    'permission.set.id',
  ],
  [
    'a json column in a filter',
    [{ table: 'track', ...select({ filter: { notes: { _is_null: true } } }) }],
    'select_permission user in table track in source default',
    'Inconsistent object: in table "track": in permission for role "user": JSON column can not be part of boolean expression',
    'definition',
    'permission.filter.notes',
  ],
  [
    'columns of different types compared',
    [{ ...artist, ...select({ filter: { id: { _ceq: 'name' } } }) }],
    `select_permission user ${onArtist}`,
    `${forUser}columns of different types cannot be compared: int4 and text`,
    'definition',
    'permission.filter.id._ceq',
  ],
  [
    'a column comparison over a relationship',
    [{ ...artist, ...select({ filter: { id: { _ceq: ['$', 'albums', 'id'] } } }) }],
    `select_permission user ${onArtist}`,
    `${forUser}relationships are not supported in column comparisons`,
    'definition',
    'permission.filter.id._ceq',
  ],
  [
    'a column comparison with an unknown column',
    [{ ...artist, ...select({ filter: { id: { _ceq: ['$', 'nmae'] } } }) }],
    `select_permission user ${onArtist}`,
    `${forUser}column "nmae" does not exist`,
    'database',
    'permission.filter.id._ceq',
  ],
  [
    'a cast that the type does not have',
    [{ table: 'track', ...select({ filter: { data: { _cast: { Int: { _eq: 1 } } } } }) }],
    'select_permission user in table track in source default',
    'Inconsistent object: in table "track": in permission for role "user": cannot cast to "Int"',
    'definition',
    'permission.filter.data._cast.Int',
  ],
  [
    'a negative limit',
    [{ ...artist, ...select({ limit: -1 }) }],
    `select_permission user ${onArtist}`,
    `${forUser}unexpected negative value`,
    'definition',
    'permission.limit',
  ],
  [
    'a computed field that there is not',
    [{ ...artist, ...select({ computed_fields: ['age'] }) }],
    `select_permission user ${onArtist}`,
    `${forUser}computed field "age" does not exist`,
    'metadata',
    'permission.computed_fields.0',
  ],
  [
    'by key without the key',
    [{ ...artist, ...select({ columns: ['name'], query_root_fields: ['select', 'select_by_pk'] }) }],
    `select_permission user ${onArtist}`,
    `${forUser}the "select_by_pk" field cannot be included in the query_root_fields because the role does not have access to the primary key of the table`,
    'definition',
    'permission.query_root_fields.1',
  ],
  [
    'aggregates that are not allowed',
    [{ ...artist, ...select({ subscription_root_fields: ['select_aggregate'] }) }],
    `select_permission user ${onArtist}`,
    `${forUser}the "select_aggregate" root field can only be enabled in the subscription_root_fields when "allow_aggregations" is set to true`,
    'definition',
    'permission.subscription_root_fields.0',
  ],
  [
    'a preset of an unknown column',
    [{ ...artist, insert_permissions: [{ role: 'user', permission: { check: {}, set: { nmae: 'x' } } }] }],
    `insert_permission user ${onArtist}`,
    `${forUser}column "nmae" does not exist`,
    'database',
    'permission.set.nmae',
  ],
  [
    'a column that the database computes',
    [
      {
        table: { schema: 'shop', name: 'sale' },
        update_permissions: [{ role: 'user', permission: { columns: ['total'], filter: {}, check: null } }],
      },
    ],
    'update_permission user in table shop.sale in source default',
    'Inconsistent object: in table "shop.sale": in permission for role "user": column "total" is generated by the database and cannot be written',
    'database',
    'permission.columns.0',
  ],
  [
    'the check of an update',
    [
      {
        ...artist,
        update_permissions: [{ role: 'user', permission: { columns: '*', filter: {}, check: { nmae: 1 } } }],
      },
    ],
    `update_permission user ${onArtist}`,
    `${forUser}column "nmae" does not exist`,
    'database',
    'permission.check.nmae',
  ],
  [
    'the filter of a delete',
    [{ ...artist, delete_permissions: [{ role: 'user', permission: { filter: { nmae: 1 } } }] }],
    `delete_permission user ${onArtist}`,
    `${forUser}column "nmae" does not exist`,
    'database',
    'permission.filter.nmae',
  ],
]

for (const [what, tables, ...expected] of cases)
  test(`inconsistent: ${what}`, () => assert.deepEqual(told(build(tables)), [expected]))

test('inconsistent: a value of the wrong type, in the words of the backend', () => {
  const model = build([{ ...artist, ...select({ filter: { id: { _in: [1, true] } } }) }])
  const [[, reason, cause, at] = []] = told(model)
  assert.match(String(reason), /in permission for role "user": ./)
  assert.deepEqual([cause, at], ['definition', 'permission.filter.id._in.1'])
})

test('inconsistent: two foreign keys over one column', () => {
  const twice: TableSketch = {
    columns: { id: 'int4 not null', artist_id: 'int4' },
    references: { artist_id: 'artist:id', 'artist_id again': 'artist:id' },
  }
  const album = {
    table: 'album',
    object_relationships: [relationship('by', { foreign_key_constraint_on: 'artist_id' })],
  }
  assert.deepEqual(told(build([artist, album], { ...music, album: twice })), [
    [
      'object_relation by in table album in source default',
      'Inconsistent object: in table "album": in relationship "by": more than one foreign key constraint exists on the given column(s)',
      'database',
      'using.foreign_key_constraint_on',
    ],
  ])
})

test('inconsistent: a column whose name, or whose type, GraphQL cannot have', () => {
  const sketch = (column: string, type: string): TableSketch => ({ columns: { id: 'int4', [column]: type } })
  const reasonOf = (own: TableSketch) => told(build([{ table: 'odd' }], { odd: own })).map(([, reason]) => reason)
  assert.deepEqual(reasonOf(sketch('my col', 'text')), [
    'Inconsistent object: cannot include "my col" in the GraphQL schema because  it is not a valid GraphQL identifier',
  ])
  assert.deepEqual(reasonOf(sketch('other', 'odd-type')), [
    'Inconsistent object: cannot use SQL type "odd-type" in the GraphQL schema because its name is not a valid GraphQL identifier',
  ])
})

test('an inconsistent object carries its definition as spec 01 §5 has it', () => {
  const tables = [
    { table: 'gone' },
    { ...artist, ...select({ columns: ['nmae'] }), comment: 'x' },
    { ...album, object_relationships: [relationship('by', { foreign_key_constraint_on: 'title' })] },
  ].map(({ comment: _, ...table }: JsonObject) => table)
  const definitions = [...build(tables as JsonObject[]).inconsistencies.values()].map(({ type, definition }) => [
    type,
    definition,
  ])
  assert.deepEqual(definitions.sort(), [
    [
      'object_relation',
      {
        source: 'default',
        table: { schema: 'public', name: 'album' },
        name: 'by',
        using: { foreign_key_constraint_on: 'title' },
        comment: null,
      },
    ],
    [
      'select_permission',
      {
        source: 'default',
        table: { schema: 'public', name: 'artist' },
        role: 'user',
        permission: { columns: ['nmae'], filter: {} },
        comment: null,
      },
    ],
    ['table', { schema: 'public', name: 'gone' }],
  ])
})

test('of an unreachable source only the source is told, and nothing below it is served', () => {
  const document = documentOf({
    version: 3,
    sources: [sourceOf('lost', [{ table: 'artist', ...select({ columns: ['nmae'] }) }]), sourceOf('unknown', [])],
  })
  const model = updateModel(null, {
    document,
    settings,
    sources: new Map([['lost', unavailable('lost', 'connection refused')]]),
  })
  assert.deepEqual(
    [...model.inconsistencies.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    [
      {
        reason: 'Inconsistent object: connection error',
        type: 'source',
        name: 'source lost',
        definition: 'lost',
        message: 'connection refused',
      },
      {
        reason: 'Inconsistent object: connection error',
        type: 'source',
        name: 'source unknown',
        definition: 'unknown',
        message: 'the source has not been connected',
      },
    ],
  )
  assert.equal(model.tables.size, 0)
})

test('what hangs below a table that the database lacks is silent, what points to it is not', () => {
  const { artist: _, ...others } = music
  const model = build(
    [
      { ...artist, ...select({ columns: ['nmae'] }) },
      {
        ...album,
        object_relationships: [
          relationship('by', { manual_configuration: { remote_table: 'artist', column_mapping: { artist_id: 'id' } } }),
        ],
        ...select({ filter: { by: { name: 'x' } } }),
      },
    ],
    others,
  )
  assert.deepEqual(
    told(model).map(([name, reason]) => [name, reason]),
    [
      ['object_relation by in table album in source default', 'Inconsistent object: table "artist" is not tracked'],
      [
        'select_permission user in table album in source default',
        'Inconsistent object: in table "album": in permission for role "user": column "by" does not exist',
      ],
      ['table artist in source default', 'Inconsistent object: no such table/view exists in source: "artist"'],
    ],
  )
  assert.deepEqual([...model.tables.keys()], ['default/public.album'])
})

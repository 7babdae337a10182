import assert from 'node:assert/strict'
import { test } from 'node:test'
import { album, artist, build, type Case, onArtist, relationship, reported } from './inconsistencies.fixture.ts'
import { music, type TableSketch } from './music.fixture.ts'

const inAlbums = 'Inconsistent object: in table "artist": in relationship "albums": '

const cases: readonly Case[] = [
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
]

for (const [what, tables, ...expected] of cases)
  test(`inconsistent: ${what}`, () => assert.deepEqual(reported(build(tables)), [expected]))

test('inconsistent: two foreign keys over one column', () => {
  const twice: TableSketch = {
    columns: { id: 'int4 not null', artist_id: 'int4' },
    references: { artist_id: 'artist:id', 'artist_id again': 'artist:id' },
  }
  const album = {
    table: 'album',
    object_relationships: [relationship('by', { foreign_key_constraint_on: 'artist_id' })],
  }
  assert.deepEqual(reported(build([artist, album], { ...music, album: twice })), [
    [
      'object_relation by in table album in source default',
      'Inconsistent object: in table "album": in relationship "by": more than one foreign key constraint exists on the given column(s)',
      'database',
      'using.foreign_key_constraint_on',
    ],
  ])
})

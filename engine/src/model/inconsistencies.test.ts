import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@svc/schema'
import { album, artist, build, type Case, relationship, reported, select } from './inconsistencies.fixture.ts'
import { documentOf, music, settings, sourceOf, type TableSketch, unavailable } from './music.fixture.ts'
import { updateModel } from './update-model.ts'

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
]

for (const [what, tables, ...expected] of cases)
  test(`inconsistent: ${what}`, () => assert.deepEqual(reported(build(tables)), [expected]))

test('inconsistent: a column whose name, or whose type, GraphQL cannot have', () => {
  const sketch = (column: string, type: string): TableSketch => ({ columns: { id: 'int4', [column]: type } })
  const reasonOf = (own: TableSketch) => reported(build([{ table: 'odd' }], { odd: own })).map(([, reason]) => reason)
  assert.deepEqual(reasonOf(sketch('my col', 'text')), [
    'Inconsistent object: cannot include "my col" in the GraphQL schema because  it is not a valid GraphQL identifier',
  ])
  assert.deepEqual(reasonOf(sketch('other', 'odd-type')), [
    'Inconsistent object: cannot use SQL type "odd-type" in the GraphQL schema because its name is not a valid GraphQL identifier',
  ])
})

test('an inconsistent object carries its definition as reference/metadata-document#inconsistent-objects has it', () => {
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

test('of an unreachable source only the source is reported, and nothing below it is served', () => {
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
    reported(model).map(([name, reason]) => [name, reason]),
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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { album, artist, build, type Case, onArtist, relationship, reported, select } from './inconsistencies.fixture.ts'

const forUser = 'Inconsistent object: in table "artist": in permission for role "user": '

const cases: readonly Case[] = [
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
    'permission.filter.data._cast',
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
  test(`inconsistent: ${what}`, () => assert.deepEqual(reported(build(tables)), [expected]))

test('inconsistent: a value of the wrong type, in the words of the backend', () => {
  const model = build([{ ...artist, ...select({ filter: { id: { _in: [1, true] } } }) }])
  const [[, reason, cause, at] = []] = reported(model)
  assert.match(String(reason), /in permission for role "user": ./)
  assert.deepEqual([cause, at], ['definition', 'permission.filter.id._in.1'])
})

/** Logical models, who may select them, and native queries. */
import { type KindSample, named } from './kind-sample.fixture.ts'

const plain = { array: false, nullable: false, element_nullable: false, logical_model: null, description: null }

export const logicalModel: KindSample = {
  kind: 'LogicalModel',
  base: {
    source: 'default',
    name: 'top_album',
    fields: [
      { ...plain, name: 'id', scalar: 'integer', description: 'Its key' },
      { ...plain, name: 'titles', scalar: 'text', array: true, nullable: true },
    ],
    description: 'An album and its titles',
  },
  changes: {
    source: { source: 'twin' },
    name: { name: 'best_album' },
    fields: { fields: [{ name: 'titles', scalar: 'text', array: true, element_nullable: true }] },
    description: { description: null },
  },
  respelled: [
    { source: null },
    {
      fields: [
        { name: 'id', scalar: 'integer', description: 'Its key' },
        { name: 'titles', array: true, scalar: 'text', nullable: true },
      ],
    },
  ],
}

export const logicalModelPermission: KindSample = {
  kind: 'LogicalModelPermission',
  base: {
    source: 'default',
    logical_model: 'top_album',
    role: 'user',
    columns: ['id'],
    all_columns: false,
    filter: JSON.stringify({ id: { _gt: 1 } }),
    comment: 'Not the first',
  },
  changes: {
    source: { source: 'twin', logical_model: 'twin_album' },
    logical_model: { logical_model: 'low_album' },
    role: { role: 'guest' },
    columns: { columns: ['id', 'titles'] },
    all_columns: { columns: null, all_columns: true },
    filter: { filter: '{}' },
    comment: { comment: null },
  },
  respelled: [{ source: null, all_columns: null }, { columns: ['id', 'id'] }, { filter: '{ "id": {"_gt": 1} }' }],
}

export const nativeQuery: KindSample = {
  kind: 'NativeQuery',
  base: {
    source: 'default',
    root_field_name: 'top_albums',
    code: 'SELECT id, ARRAY[title] AS titles FROM album LIMIT {{most}}',
    arguments: { most: { type: 'integer', nullable: false, description: 'How many' } },
    returns: 'top_album',
    returns_inline: null,
    description: 'The best',
    object_relationships: [
      {
        name: 'album',
        remote_table: named('album'),
        remote_native_query: null,
        column_mapping: { id: 'id' },
        comment: 'All of it',
      },
    ],
    array_relationships: [
      {
        name: 'tracks',
        remote_table: named('track'),
        remote_native_query: null,
        column_mapping: { id: 'album_id' },
        comment: null,
      },
    ],
  },
  changes: {
    source: { source: 'twin', returns: 'twin_album' },
    root_field_name: { root_field_name: 'best_albums' },
    code: { code: 'SELECT id, ARRAY[title] AS titles FROM album ORDER BY title LIMIT {{most}}' },
    arguments: { arguments: { most: { type: 'bigint', nullable: true } } },
    returns: { returns: 'low_album' },
    returns_inline: {
      returns: null,
      returns_inline: JSON.stringify({
        fields: [{ name: 'id', type: { scalar: 'integer', nullable: false } }],
        select_permissions: [{ role: 'user', permission: { columns: '*', filter: {} } }],
      }),
    },
    description: { description: null },
    object_relationships: { object_relationships: null },
    array_relationships: {
      array_relationships: [{ name: 'songs', remote_table: { name: 'track' }, column_mapping: { id: 'album_id' } }],
    },
  },
  respelled: [
    { source: null },
    { arguments: { most: { type: 'integer', description: 'How many' } } },
    { array_relationships: [{ name: 'tracks', remote_table: { name: 'track' }, column_mapping: { id: 'album_id' } }] },
  ],
}

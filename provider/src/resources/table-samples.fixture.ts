/** Tables and their relationships. */
import { type KindSample, named } from './kind-sample.fixture.ts'

export const table: KindSample = {
  kind: 'Table',
  base: {
    source: 'default',
    table: named('genre'),
    is_enum: false,
    custom_name: 'kind_of_music',
    comment: 'A kind of music',
    custom_root_fields: {
      select: { name: 'kinds', comment: null },
      select_by_pk: { name: 'kind', comment: 'One kind' },
      select_aggregate: null,
      select_stream: null,
      insert: null,
      insert_one: null,
      update: null,
      update_by_pk: null,
      update_many: null,
      delete: null,
      delete_by_pk: null,
    },
    column_config: { comment: { custom_name: 'description', comment: 'What it is like' } },
    apollo_federation_config: null,
  },
  changes: {
    source: { source: 'twin' },
    table: { table: named('album', 'shop'), column_config: null },
    is_enum: { is_enum: true },
    custom_name: { custom_name: null },
    comment: { comment: '' },
    custom_root_fields: {
      custom_root_fields: { select: { name: 'all_kinds' }, select_aggregate: { comment: 'How many' } },
    },
    column_config: { column_config: { comment: { custom_name: 'text' }, value: { comment: 'Its name' } } },
    apollo_federation_config: { apollo_federation_config: { enable: 'v1' } },
  },
  respelled: [
    { source: null, is_enum: null, table: { name: 'genre' } },
    { custom_root_fields: { select: { name: 'kinds' }, select_by_pk: { comment: 'One kind', name: 'kind' } } },
  ],
}

export const objectRelationship: KindSample = {
  kind: 'ObjectRelationship',
  base: {
    source: 'default',
    table: named('album'),
    name: 'artist',
    foreign_key_columns: ['artist_id', 'artist_name'],
    remote_foreign_key: null,
    manual_configuration: null,
    comment: 'Who made it',
  },
  changes: {
    source: { source: 'twin' },
    table: {
      table: named('album', 'shop'),
      foreign_key_columns: null,
      manual_configuration: { remote_table: named('artist'), column_mapping: { artist_id: 'id' } },
    },
    name: { name: 'maker' },
    foreign_key_columns: { foreign_key_columns: ['artist_id'] },
    remote_foreign_key: {
      table: named('artist'),
      name: 'produced',
      foreign_key_columns: null,
      remote_foreign_key: { table: named('album'), columns: ['producer_id'] },
    },
    manual_configuration: {
      foreign_key_columns: null,
      manual_configuration: {
        remote_table: named('artist'),
        column_mapping: { artist_id: 'id' },
        insertion_order: 'before_parent',
      },
    },
    comment: { comment: null },
  },
  respelled: [{ source: null }, { table: { name: 'album' } }, { foreign_key_columns: ['artist_name', 'artist_id'] }],
}

export const arrayRelationship: KindSample = {
  kind: 'ArrayRelationship',
  base: {
    source: 'default',
    table: named('artist'),
    name: 'albums',
    remote_foreign_key: { table: named('album'), columns: ['artist_id', 'artist_name'] },
    manual_configuration: null,
    comment: 'What they made',
  },
  changes: {
    source: { source: 'twin' },
    table: { table: named('album'), remote_foreign_key: { table: named('track'), columns: ['album_id'] } },
    name: { name: 'works' },
    remote_foreign_key: { remote_foreign_key: { table: named('album'), columns: ['producer_id'] } },
    manual_configuration: {
      remote_foreign_key: null,
      manual_configuration: { remote_table: named('album', 'shop'), column_mapping: { id: 'artist_id' } },
    },
    comment: { comment: 'Others' },
  },
  respelled: [
    { source: null },
    { remote_foreign_key: { table: { name: 'album' }, columns: ['artist_name', 'artist_id', 'artist_id'] } },
  ],
}

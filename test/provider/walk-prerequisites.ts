import type { Values } from '../../provider/src/core/index.ts'
import { namespaced } from '../../provider/src/resources/remote-samples.fixture.ts'
import type { WalkedResource } from './walk-names.ts'

/** Where what the stack speaks of is. */
export interface Outside {
  readonly databaseUrl: string
  /** Of a GraphQL server with the schema of the samples. */
  readonly remoteUrl: string
}

/** Where everything lies: a source that the stack declares. */
export const source = 'main'

const all = { all_columns: true, filter: '{}' }

export const named = (name: string, schema = 'public'): Values => ({ schema, name })

const modelFields = [
  { name: 'id', scalar: 'integer' },
  { name: 'titles', scalar: 'text', array: true, nullable: true },
]

export const rowsOf = (of: string, table: Values, mapping: Values): Values => ({
  relationship_type: 'array',
  source: of,
  table,
  field_mapping: mapping,
})

const userOf = (remote: string): Values => ({
  remote_schema: remote,
  lhs_fields: ['id'],
  remote_field: JSON.stringify({ user: { arguments: { id: '$id' } } }),
})

/** What leads to remote schemas, and to tables from elsewhere. */
const remotePrerequisites = (remoteUrl: string): readonly WalkedResource[] => [
  {
    name: 'support',
    kind: 'RemoteSchema',
    config: { name: 'support', url: remoteUrl, customization: namespaced('support') },
  },
  {
    name: 'shop_client',
    kind: 'RemoteRelationship',
    config: { source, table: named('album', 'shop'), name: 'client', to_remote_schema: userOf('crm') },
  },
  {
    name: 'twin_to_shop',
    kind: 'RemoteRelationship',
    config: {
      source: 'twin',
      table: named('artist'),
      name: 'sold_elsewhere',
      to_source: rowsOf(source, named('album', 'shop'), { id: 'artist_id' }),
    },
  },
  {
    name: 'user_to_shop',
    kind: 'RemoteTypeRelationship',
    config: {
      remote_schema: 'support',
      type_name: 'User',
      name: 'sold',
      to_source: rowsOf(source, named('album', 'shop'), { id: 'artist_id' }),
    },
  },
  {
    name: 'user_to_crm',
    kind: 'RemoteTypeRelationship',
    config: { remote_schema: 'support', type_name: 'User', name: 'client', to_remote_schema: userOf('crm') },
  },
  {
    name: 'crm_to_crm',
    kind: 'RemoteTypeRelationship',
    config: { remote_schema: 'crm', type_name: 'Employer', name: 'boss', to_remote_schema: userOf('crm') },
  },
]

export const field = (name: string, type: string): Values => ({ name, type, description: null })

/** Actions and their types; an event trigger of the table of the sample. */
const actionPrerequisites: readonly WalkedResource[] = [
  {
    name: 'item',
    kind: 'CustomType',
    config: { name: 'Item', input_fields: [field('sku', 'String!')] },
  },
  {
    name: 'parcel',
    kind: 'CustomType',
    config: {
      name: 'Parcel',
      fields: [field('artist_id', 'Int!'), field('receipts', '[Receipt!]')],
      relationships: [
        {
          name: 'sold',
          type: 'array',
          source,
          remote_table: named('album', 'shop'),
          field_mapping: { artist_id: 'artist_id' },
        },
      ],
    },
  },
  {
    name: 'sing',
    kind: 'Action',
    config: {
      name: 'sing',
      handler: 'http://localhost:1/sing',
      output_type: 'Parcel',
      arguments: [field('items', '[Item!]!')],
    },
  },
  {
    name: 'shop_trigger',
    kind: 'EventTrigger',
    config: {
      source,
      table: named('album', 'shop'),
      name: 'on_sale',
      webhook: 'http://localhost:1/sale',
      insert: { all_columns: true },
    },
  },
]

/** What samples need around them. */
export const prerequisites = ({ databaseUrl, remoteUrl }: Outside): readonly WalkedResource[] => [
  ...remotePrerequisites(remoteUrl),
  ...actionPrerequisites,
  ...['artist', 'album', 'track'].map((name) => ({
    name: `table_${name}`,
    kind: 'Table',
    config: { source, table: named(name) },
  })),
  {
    name: 'second',
    kind: 'Source',
    config: {
      name: 'twin',
      database_url: databaseUrl,
      customization: { root_fields: { prefix: 'second_' }, type_names: { prefix: 'second_' } },
    },
  },
  ...['artist', 'album', 'track'].map((name) => ({
    name: `twin_${name}`,
    kind: 'Table',
    config: { source: 'twin', table: named(name) },
  })),
  // what lies in the table of the sample and leads to it
  {
    name: 'in_shop',
    kind: 'SelectPermission',
    config: { source, table: named('album', 'shop'), role: 'clerk', ...all },
  },
  { name: 'shop_role', kind: 'InheritedRole', config: { role_name: 'boss', role_set: ['clerk'] } },
  {
    name: 'to_shop',
    kind: 'ArrayRelationship',
    config: {
      source,
      table: named('artist'),
      name: 'sold',
      manual_configuration: { remote_table: named('album', 'shop'), column_mapping: { id: 'artist_id' } },
    },
  },
  { name: 'twin_model', kind: 'LogicalModel', config: { source: 'twin', name: 'twin_album', fields: modelFields } },
  { name: 'low_model', kind: 'LogicalModel', config: { source, name: 'low_album', fields: modelFields } },
  {
    name: 'twin_user',
    kind: 'SelectPermission',
    config: { source: 'twin', table: named('album'), role: 'user', ...all },
  },
  {
    name: 'shop_search',
    kind: 'Function',
    config: { source, function: named('search_albums', 'shop'), custom_name: 'shop_search' },
  },
  { name: 'twin_search', kind: 'Function', config: { source: 'twin', function: named('search_albums', 'shop') } },
  {
    name: 'other_collection',
    kind: 'QueryCollection',
    config: { name: 'others', queries: [{ name: 'titles', query: 'query titles { album { title } }' }] },
  },
  ...['user', 'guest'].map((role) => ({
    name: `album_${role}`,
    kind: 'SelectPermission',
    config: { source, table: named('album'), role, ...all },
  })),
]

/**
 * Values of every kind for tests: `base` has a value in every attribute that can have one, `changes` another value for
 * each attribute. They fit the tables of `sampleTables`.
 */
import { remoteSamples } from './remote-samples.fixture.ts'
import type { Values } from './value.ts'

export const sampleTables = `
  CREATE TABLE artist (id integer PRIMARY KEY, name text, owner text, UNIQUE (id, name));
  CREATE TABLE album (
    id integer PRIMARY KEY, artist_id integer REFERENCES artist, artist_name text, title text,
    producer_id integer UNIQUE REFERENCES artist, FOREIGN KEY (artist_id, artist_name) REFERENCES artist (id, name)
  );
  CREATE TABLE track (id integer PRIMARY KEY, album_id integer REFERENCES album, title text);
  CREATE TABLE genre (value text PRIMARY KEY, comment text);
  INSERT INTO genre VALUES ('rock', 'loud'), ('folk', 'not loud');
  CREATE SCHEMA shop;
  CREATE TABLE shop.album (id integer PRIMARY KEY, artist_id integer, title text);
  CREATE FUNCTION search_albums(word text, session json, other json) RETURNS SETOF album VOLATILE LANGUAGE sql
    AS 'SELECT * FROM album WHERE title = word';
  CREATE FUNCTION shop.search_albums(word text, session json, other json) RETURNS SETOF album VOLATILE LANGUAGE sql
    AS 'SELECT * FROM album WHERE title = word';
  CREATE FUNCTION artist_label(session json, own artist, same artist, other json) RETURNS text STABLE LANGUAGE sql
    AS 'SELECT own.name';
  CREATE FUNCTION shop.artist_label(session json, own artist, same artist, other json) RETURNS text STABLE LANGUAGE sql
    AS 'SELECT own.name';
  CREATE FUNCTION album_label(album) RETURNS text STABLE LANGUAGE sql AS 'SELECT $1.title';`

export interface KindSample {
  readonly kind: string
  readonly base: Values
  /** Patches of `base`, by the attribute they are for; several where one alone would be no valid object. */
  readonly changes: Readonly<Record<string, Values>>
  /** Patches that say the same as `base` in other words. */
  readonly respelled: readonly Values[]
}

const named = (name: string, schema = 'public'): Values => ({ schema, name })

const source = (databaseUrl: string, urlFile: string): KindSample => ({
  kind: 'Source',
  base: {
    name: 'other',
    database_url: databaseUrl,
    database_url_from_env: null,
    database_url_from_file: null,
    connection_parameters: null,
    database_url_wo: null,
    database_url_wo_version: null,
    isolation_level: 'read-committed',
    pool_settings: {
      max_connections: 5,
      total_max_connections: null,
      idle_timeout: 180,
      retries: 1,
      pool_timeout: null,
      connection_lifetime: 600,
    },
    ssl_configuration: { sslmode: 'disable', sslrootcert: null, sslcert: null, sslkey: null, sslpassword: null },
    use_prepared_statements: false,
    read_replicas: null,
    extensions_schema: 'public',
    connection_template: null,
    connection_set: null,
    customization: {
      root_fields: { namespace: null, prefix: 'x_', suffix: null },
      type_names: { prefix: 'X', suffix: null },
      naming_convention: null,
    },
    health_check: { test: { sql: 'SELECT 1' }, interval: 60, retries: 3, retry_interval: 10, timeout: 10 },
  },
  changes: {
    name: { name: 'another' },
    database_url: { database_url: `${databaseUrl}?application_name=x` },
    database_url_from_env: { database_url: null, database_url_from_env: 'SVC_TEST_OTHER_URL' },
    database_url_from_file: { database_url: null, database_url_from_file: urlFile },
    connection_parameters: { database_url: null, connection_parameters: parametersOf(databaseUrl) },
    database_url_wo: {
      database_url: null,
      database_url_wo: `${databaseUrl}?application_name=w`,
      database_url_wo_version: 1,
    },
    database_url_wo_version: {
      database_url: null,
      database_url_wo: `${databaseUrl}?application_name=w`,
      database_url_wo_version: 2,
    },
    isolation_level: { isolation_level: 'serializable' },
    pool_settings: { pool_settings: { max_connections: 7 } },
    ssl_configuration: { ssl_configuration: null },
    use_prepared_statements: { use_prepared_statements: true },
    read_replicas: { read_replicas: [{ database_url: databaseUrl }] },
    extensions_schema: { extensions_schema: 'shop' },
    connection_template: { connection_template: { template: '{{ $.default }}' } },
    connection_set: {
      connection_set: [
        { name: 'a', connection_info: { database_url: databaseUrl, isolation_level: 'serializable' } },
        { name: 'b', connection_info: { database_url_from_env: 'SVC_TEST_OTHER_URL' } },
        { name: 'c', connection_info: { database_url_from_file: urlFile } },
        { name: 'd', connection_info: { connection_parameters: parametersOf(databaseUrl) } },
      ],
    },
    customization: { customization: { root_fields: { suffix: '_y' } } },
    health_check: { health_check: null },
  },
  respelled: [
    { isolation_level: null, use_prepared_statements: null, extensions_schema: null },
    { health_check: { test: {}, interval: 60 } },
    { pool_settings: { connection_lifetime: 600, idle_timeout: 180, max_connections: 5, retries: 1 } },
  ],
})

function parametersOf(databaseUrl: string): Values {
  const { username, password, hostname, port, pathname } = new URL(databaseUrl)
  return {
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    host: hostname,
    port: Number(port || 5432),
    database: pathname.slice(1),
  }
}

const table: KindSample = {
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

const objectRelationship: KindSample = {
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

const arrayRelationship: KindSample = {
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

const filter = { owner: { _eq: 'X-Svc-User-Id' }, _or: [{ id: { _gt: 1 } }] }

const selectPermission: KindSample = {
  kind: 'SelectPermission',
  base: {
    source: 'default',
    table: named('artist'),
    role: 'user',
    columns: ['id', 'name'],
    all_columns: false,
    computed_fields: null,
    filter: JSON.stringify(filter),
    limit: 100,
    allow_aggregations: true,
    query_root_fields: ['select', 'select_by_pk'],
    subscription_root_fields: ['select'],
    comment: 'Their own',
  },
  changes: {
    source: { source: 'twin' },
    table: { table: named('album'), columns: ['id'], filter: '{}' },
    role: { role: 'guest' },
    columns: { columns: ['id', 'owner'] },
    all_columns: { columns: null, all_columns: true },
    computed_fields: { computed_fields: ['label'] },
    filter: { filter: '{"name":{"_is_null":false}}' },
    limit: { limit: null },
    allow_aggregations: { allow_aggregations: false },
    query_root_fields: { query_root_fields: [] },
    subscription_root_fields: { subscription_root_fields: null },
    comment: { comment: 'All of them' },
  },
  respelled: [
    { source: null, all_columns: null, table: { name: 'artist' } },
    { columns: ['name', 'id', 'name'] },
    { filter: JSON.stringify(filter, null, 2) },
    { filter: JSON.stringify({ $or: [{ id: { _gt: 1 } }], owner: { _eq: 'X-Svc-User-Id' } }) },
    { query_root_fields: ['select_by_pk', 'select'] },
  ],
}

const inputValidation = { url: 'http://localhost:1/check', headers: null, timeout: 5, forward_client_headers: true }

const insertPermission: KindSample = {
  kind: 'InsertPermission',
  base: {
    source: 'default',
    table: named('artist'),
    role: 'user',
    columns: ['id', 'name'],
    all_columns: false,
    check: JSON.stringify(filter),
    set: JSON.stringify({ owner: 'X-Svc-User-Id' }),
    backend_only: true,
    validate_input: inputValidation,
    comment: 'Their own',
  },
  changes: {
    source: { source: 'twin' },
    table: { table: named('album'), columns: ['id'], check: '{}', set: null },
    role: { role: 'guest' },
    columns: { columns: ['id'] },
    all_columns: { columns: null, all_columns: true },
    check: { check: '{"name":{"_is_null":false}}' },
    set: { set: '{"owner":"nobody"}' },
    backend_only: { backend_only: false },
    validate_input: {
      validate_input: {
        url: 'http://localhost:1/check',
        headers: [
          { name: 'x-who', value: 'the provider', value_from_env: null },
          { name: 'x-key', value: null, value_from_env: 'SVC_TEST_OTHER_URL' },
        ],
      },
    },
    comment: { comment: 'All of them' },
  },
  respelled: [
    { source: null, all_columns: null, table: { name: 'artist' } },
    { columns: ['name', 'id', 'name'] },
    { check: JSON.stringify(filter, null, 2) },
    { set: '{ "owner": "X-Svc-User-Id" }' },
  ],
}

const updatePermission: KindSample = {
  kind: 'UpdatePermission',
  base: { ...insertPermission.base, filter: JSON.stringify(filter), check: '{"name":{"_is_null":false}}' },
  changes: {
    source: { source: 'twin' },
    table: { table: named('album'), columns: ['id'], filter: '{}', check: null, set: null },
    role: { role: 'guest' },
    columns: { columns: [] },
    all_columns: { columns: null, all_columns: true },
    filter: { filter: '{}' },
    check: { check: null },
    set: { set: null },
    backend_only: { backend_only: null },
    validate_input: { validate_input: null },
    comment: { comment: null },
  },
  respelled: [
    { source: null, all_columns: null, table: { name: 'artist' } },
    { columns: ['name', 'id', 'name'] },
    { filter: JSON.stringify(filter, null, 2) },
  ],
}

const deletePermission: KindSample = {
  kind: 'DeletePermission',
  base: {
    source: 'default',
    table: named('artist'),
    role: 'user',
    filter: JSON.stringify(filter),
    backend_only: true,
    validate_input: inputValidation,
    comment: 'Their own',
  },
  changes: {
    source: { source: 'twin' },
    table: { table: named('album'), filter: '{}' },
    role: { role: 'guest' },
    filter: { filter: '{}' },
    backend_only: { backend_only: false },
    validate_input: { validate_input: { url: 'http://localhost:1/check' } },
    comment: { comment: null },
  },
  respelled: [{ source: null, table: { name: 'artist' } }, { filter: JSON.stringify(filter, null, 2) }],
}

const trackedFunction: KindSample = {
  kind: 'Function',
  base: {
    source: 'default',
    function: named('search_albums'),
    session_argument: 'session',
    exposed_as: 'query',
    custom_name: 'find_albums',
    custom_root_fields: { function: 'found_albums', function_aggregate: null },
    comment: 'By a word',
  },
  changes: {
    source: { source: 'twin' },
    function: { function: named('search_albums', 'shop') },
    session_argument: { session_argument: 'other' },
    exposed_as: { exposed_as: 'mutation' },
    custom_name: { custom_name: null },
    custom_root_fields: { custom_root_fields: { function_aggregate: 'how_many_albums' } },
    comment: { comment: null },
  },
  respelled: [{ source: null, function: { name: 'search_albums' } }],
}

const functionPermission: KindSample = {
  kind: 'FunctionPermission',
  base: { source: 'default', function: named('search_albums'), role: 'user' },
  changes: {
    source: { source: 'twin' },
    function: { function: named('search_albums', 'shop') },
    role: { role: 'guest' },
  },
  respelled: [{ source: null, function: { name: 'search_albums' } }],
}

const computedField: KindSample = {
  kind: 'ComputedField',
  base: {
    source: 'default',
    table: named('artist'),
    name: 'label',
    function: named('artist_label'),
    table_argument: 'own',
    session_argument: 'session',
    comment: 'What to show',
  },
  changes: {
    source: { source: 'twin' },
    table: { table: named('album'), function: named('album_label'), table_argument: null, session_argument: null },
    name: { name: 'shown' },
    function: { function: named('artist_label', 'shop') },
    table_argument: { table_argument: 'same' },
    session_argument: { session_argument: null },
    comment: { comment: null },
  },
  respelled: [{ source: null, table: { name: 'artist' }, function: { name: 'artist_label' } }],
}

const plain = { array: false, nullable: false, element_nullable: false, logical_model: null, description: null }

const logicalModel: KindSample = {
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

const logicalModelPermission: KindSample = {
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

const nativeQuery: KindSample = {
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

/** With select permissions of the roles user and guest. */
const inheritedRole: KindSample = {
  kind: 'InheritedRole',
  base: { role_name: 'editor', role_set: ['user', 'guest'] },
  changes: { role_name: { role_name: 'writer' }, role_set: { role_set: ['guest'] } },
  respelled: [{ role_set: ['guest', 'user', 'guest'] }],
}

const queryCollection: KindSample = {
  kind: 'QueryCollection',
  base: {
    name: 'albums',
    queries: [
      { name: 'titles', query: 'query titles { album { title } }' },
      { name: 'by_id', query: 'query by_id($id: Int!) { album(where: { id: { _eq: $id } }) { title } }' },
    ],
    comment: 'For the shop',
  },
  changes: {
    name: { name: 'more_albums' },
    queries: { queries: [{ name: 'titles', query: 'query titles { album { id title } }' }] },
    comment: { comment: null },
  },
  respelled: [],
}

/** Of the collections albums and others. */
const allowlistEntry: KindSample = {
  kind: 'AllowlistEntry',
  base: { collection: 'albums', roles: ['user', 'guest'] },
  changes: { collection: { collection: 'others' }, roles: { roles: null } },
  respelled: [{ roles: ['guest', 'user'] }],
}

const restEndpoint: KindSample = {
  kind: 'RestEndpoint',
  base: {
    name: 'album_titles',
    url: 'albums/titles',
    methods: ['GET', 'POST'],
    collection_name: 'albums',
    query_name: 'titles',
    comment: 'For the shop',
  },
  changes: {
    name: { name: 'all_titles' },
    url: { url: 'albums/all' },
    methods: { methods: ['GET'] },
    collection_name: { collection_name: 'others' },
    query_name: { url: 'albums/titles/:id', query_name: 'by_id' },
    comment: { comment: null },
  },
  respelled: [{ methods: ['POST', 'GET'] }],
}

const noRequestTransform: Values = {
  method: null,
  url: null,
  query_params: null,
  query_flags: null,
  query_template: null,
  add_headers: null,
  remove_headers: null,
  body: null,
}

const eventTrigger: KindSample = {
  kind: 'EventTrigger',
  base: {
    source: 'default',
    table: named('artist'),
    name: 'on_artist',
    webhook: 'http://localhost:1/artist',
    webhook_from_env: null,
    insert: { all_columns: true, columns: null, payload: null },
    update: { all_columns: false, columns: ['name', 'owner'], payload: ['id', 'name'] },
    delete: null,
    enable_manual: true,
    headers: [{ name: 'x-who', value: 'the provider', value_from_env: null }],
    retry_conf: { num_retries: 3, interval_sec: 20, timeout_sec: 30, no_timeout: false },
    request_transform: {
      method: 'PUT',
      url: '{{$base_url}}/all',
      query_params: { of: '{{$body.table.name}}' },
      query_flags: ['all'],
      query_template: null,
      add_headers: null,
      remove_headers: ['x-old'],
      body: { action: 'transform', template: '{{$body.event}}', form_template: null },
    },
    response_transform: { body: { action: 'remove', template: null, form_template: null } },
    cleanup_config: {
      schedule: '0 3 * * *',
      clear_older_than: 168,
      batch_size: 500,
      timeout: 30,
      clean_invocation_logs: true,
      paused: false,
    },
    trigger_on_replication: true,
    comment: 'For the shop',
  },
  changes: {
    // both sources are one database: a trigger that kept its name or its table would wait for itself
    source: { source: 'twin', table: named('album'), name: 'on_album', update: null },
    table: { table: named('album'), update: null },
    name: { name: 'on_changed_artist' },
    webhook: { webhook: 'http://localhost:1/other' },
    webhook_from_env: { webhook: null, webhook_from_env: 'SVC_TEST_OTHER_URL' },
    insert: { insert: null },
    update: { update: { all_columns: true } },
    delete: { delete: { columns: ['id'] } },
    enable_manual: { enable_manual: false },
    headers: { headers: null },
    retry_conf: { retry_conf: { no_timeout: true } },
    request_transform: {
      request_transform: {
        query_template: '{{$body.id}}',
        body: { form_template: { a: '1' }, action: 'x_www_form_urlencoded' },
      },
    },
    response_transform: { response_transform: null },
    cleanup_config: { cleanup_config: { schedule: '0 3 * * *', clear_older_than: 24 } },
    trigger_on_replication: { trigger_on_replication: null },
    comment: { comment: null },
  },
  respelled: [
    { source: null, table: { name: 'artist' } },
    { insert: { all_columns: true }, update: { columns: ['owner', 'name'], payload: ['name', 'id', 'id'] } },
    { response_transform: { body: { action: 'remove' } } },
  ],
}

const field = (name: string, type: string, description: string | null = null): Values => ({ name, type, description })

const customTypes: KindSample = {
  kind: 'CustomTypes',
  base: {
    input_objects: [{ name: 'Item', description: 'What is bought', fields: [field('sku', 'String!', 'Its number')] }],
    objects: [
      {
        name: 'Order',
        description: null,
        fields: [field('number', 'Int!'), field('artist_id', 'Int!'), field('parts', '[Order!]')],
        relationships: [
          {
            name: 'artist',
            type: 'object',
            source: 'default',
            remote_table: named('artist'),
            field_mapping: { artist_id: 'id' },
          },
        ],
      },
    ],
    scalars: [{ name: 'Money', description: 'In cents' }],
    enums: [
      {
        name: 'Shipping',
        description: null,
        values: [{ value: 'SLOW', description: 'By ship', is_deprecated: false }],
      },
    ],
  },
  changes: {
    input_objects: { input_objects: null },
    objects: { objects: [{ name: 'Order', fields: [{ name: 'number', type: 'Int!' }] }] },
    scalars: { scalars: [{ name: 'Money' }, { name: 'Weight' }] },
    enums: { enums: [{ name: 'Shipping', values: [{ value: 'FAST', is_deprecated: true }] }] },
  },
  respelled: [
    {
      input_objects: [
        {
          name: 'Item',
          description: 'What is bought',
          fields: [{ name: 'sku', type: 'String!', description: 'Its number' }],
        },
      ],
    },
  ],
}

const noShape: Values = { input_fields: null, fields: null, relationships: null, values: null }

const customType: KindSample = {
  kind: 'CustomType',
  base: {
    name: 'Receipt',
    description: 'What was paid',
    input_fields: null,
    fields: [field('number', 'Int!', 'Of the receipt'), field('artist_id', 'Int!')],
    relationships: [
      {
        name: 'artist',
        type: 'object',
        source: 'default',
        remote_table: named('artist'),
        field_mapping: { artist_id: 'id' },
      },
    ],
    values: null,
    scalar: false,
  },
  changes: {
    name: { name: 'Invoice' },
    description: { description: null },
    input_fields: { ...noShape, input_fields: [{ name: 'number', type: 'Int!' }] },
    fields: {
      fields: [
        { name: 'artist_id', type: 'Int!' },
        { name: 'total', type: 'Float' },
      ],
    },
    relationships: { relationships: null },
    values: { ...noShape, values: [{ value: 'PAID' }] },
    scalar: { ...noShape, scalar: true },
  },
  respelled: [
    {
      relationships: [
        { name: 'artist', type: 'object', remote_table: { name: 'artist' }, field_mapping: { artist_id: 'id' } },
      ],
    },
  ],
}

/** Of types that every engine has. */
const action: KindSample = {
  kind: 'Action',
  base: {
    name: 'shout',
    handler: '{{SVC_TEST_OTHER_URL}}/shout',
    type: 'mutation',
    kind: 'asynchronous',
    arguments: [{ name: 'words', type: '[String!]!', description: 'What to shout' }],
    output_type: 'String',
    headers: [{ name: 'x-who', value: 'the provider', value_from_env: null }],
    forward_client_headers: true,
    ignored_client_headers: ['Cookie'],
    timeout: 5,
    request_transform: { ...noRequestTransform, method: 'PUT' },
    response_transform: { body: { action: 'transform', template: '{{$body}}', form_template: null } },
    comment: 'Says it aloud',
  },
  changes: {
    name: { name: 'whisper' },
    handler: { handler: 'http://localhost:1/shout' },
    type: { type: 'query', kind: 'synchronous' },
    kind: { kind: 'synchronous' },
    arguments: { arguments: [{ name: 'word', type: 'String' }] },
    output_type: { output_type: '[String!]!' },
    headers: { headers: [{ name: 'x-key', value_from_env: 'SVC_TEST_OTHER_URL' }] },
    forward_client_headers: { forward_client_headers: null },
    ignored_client_headers: { ignored_client_headers: null },
    timeout: { timeout: null },
    request_transform: { request_transform: null },
    response_transform: { response_transform: null },
    comment: { comment: null },
  },
  respelled: [{ ignored_client_headers: ['Cookie', 'Cookie'] }, { request_transform: { method: 'PUT' } }],
}

/** Of the actions shout and sing. */
const actionPermission: KindSample = {
  kind: 'ActionPermission',
  base: { action: 'shout', role: 'user', comment: 'Everybody may' },
  changes: { action: { action: 'sing' }, role: { role: 'guest' }, comment: { comment: null } },
  respelled: [],
}

const cronTrigger: KindSample = {
  kind: 'CronTrigger',
  base: {
    name: 'daily_report',
    webhook: 'http://localhost:1/report',
    webhook_from_env: null,
    schedule: '0 5 * * *',
    payload: JSON.stringify({ of: 'yesterday' }),
    headers: [{ name: 'x-who', value: 'the provider', value_from_env: null }],
    retry_conf: { num_retries: 3, retry_interval_seconds: 20, timeout_seconds: 30, tolerance_seconds: 3600 },
    request_transform: { ...noRequestTransform, method: 'PUT' },
    response_transform: { body: { action: 'transform', template: '{{$body}}', form_template: null } },
    comment: 'For the owner',
  },
  changes: {
    name: { name: 'nightly_report' },
    webhook: { webhook: 'http://localhost:1/other' },
    webhook_from_env: { webhook: null, webhook_from_env: 'SVC_TEST_OTHER_URL' },
    schedule: { schedule: '30 5 * * *' },
    payload: { payload: null },
    headers: { headers: null },
    retry_conf: { retry_conf: { num_retries: 1 } },
    request_transform: { request_transform: null },
    response_transform: { response_transform: null },
    comment: { comment: null },
  },
  respelled: [{ payload: '{ "of": "yesterday" }' }],
}

const apiLimits: KindSample = {
  kind: 'ApiLimits',
  base: {
    disabled: false,
    depth_limit: { global: 7, per_role: { user: 5 } },
    node_limit: { global: 100, per_role: null },
    batch_limit: null,
    time_limit: { global: 2.5, per_role: { user: 1 } },
    rate_limit: {
      global: { max_reqs_per_min: 100, unique_by_ip: true, unique_params: null },
      per_role: { user: { max_reqs_per_min: 50, unique_by_ip: false, unique_params: ['x-svc-user-id'] } },
    },
  },
  changes: {
    disabled: { disabled: true },
    depth_limit: { depth_limit: null },
    node_limit: { node_limit: { global: 50 } },
    batch_limit: { batch_limit: { global: 3 } },
    time_limit: { time_limit: { global: 3 } },
    rate_limit: { rate_limit: { global: { max_reqs_per_min: 10 } } },
  },
  respelled: [
    {
      rate_limit: {
        global: { max_reqs_per_min: 100, unique_by_ip: true },
        per_role: { user: { max_reqs_per_min: 50, unique_params: ['x-svc-user-id'] } },
      },
    },
  ],
}

const metricsConfig: KindSample = {
  kind: 'MetricsConfig',
  base: { analyze_query_variables: true, analyze_response_body: true },
  changes: {
    analyze_query_variables: { analyze_query_variables: false },
    analyze_response_body: { analyze_response_body: null },
  },
  respelled: [],
}

const introspectionOptions: KindSample = {
  kind: 'IntrospectionOptions',
  base: { disabled_for_roles: ['user', 'guest'] },
  changes: { disabled_for_roles: { disabled_for_roles: ['user'] } },
  respelled: [{ disabled_for_roles: ['guest', 'user', 'guest'] }],
}

const openTelemetry: KindSample = {
  kind: 'OpenTelemetry',
  base: {
    status: 'disabled',
    data_types: ['metrics', 'traces'],
    exporter_otlp: {
      otlp_traces_endpoint: 'http://localhost:1/v1/traces',
      otlp_metrics_endpoint: 'http://localhost:1/v1/metrics',
      otlp_logs_endpoint: null,
      protocol: 'http/protobuf',
      headers: [{ name: 'x-key', value: null, value_from_env: 'SVC_TEST_OTHER_URL' }],
      resource_attributes: [{ name: 'service.name', value: 'shop' }],
      traces_propagators: ['tracecontext'],
    },
    batch_span_processor: { max_export_batch_size: 100 },
  },
  changes: {
    status: { status: '{{SVC_TEST_TELEMETRY}}' },
    data_types: { data_types: null },
    exporter_otlp: { exporter_otlp: { otlp_traces_endpoint: 'http://localhost:2/v1/traces' } },
    batch_span_processor: { batch_span_processor: null },
  },
  respelled: [{ data_types: ['traces', 'metrics'] }],
}

const tlsAllowlistEntry: KindSample = {
  kind: 'TlsAllowlistEntry',
  base: { host: 'collector.internal', suffix: '4318', permissions: ['self-signed'] },
  changes: {
    host: { host: 'reports.internal' },
    suffix: { suffix: null },
    permissions: { permissions: null },
  },
  respelled: [],
}

/**
 * `databaseUrl`: of a database with `sampleTables`; `urlFile` holds it. `remoteUrl`: of a GraphQL server with
 * `sampleRemote`, which the variable SVC_TEST_REMOTE_URL of the engine holds.
 */
export const samples = (
  databaseUrl: string,
  urlFile = '/run/secrets/url',
  remoteUrl = 'http://localhost:1/graphql',
): readonly KindSample[] => [
  source(databaseUrl, urlFile),
  table,
  objectRelationship,
  arrayRelationship,
  computedField,
  trackedFunction,
  logicalModel,
  nativeQuery,
  selectPermission,
  insertPermission,
  updatePermission,
  deletePermission,
  logicalModelPermission,
  functionPermission,
  ...remoteSamples(remoteUrl),
  inheritedRole,
  queryCollection,
  allowlistEntry,
  restEndpoint,
  eventTrigger,
  cronTrigger,
  customTypes,
  customType,
  action,
  actionPermission,
  apiLimits,
  metricsConfig,
  introspectionOptions,
  openTelemetry,
  tlsAllowlistEntry,
]

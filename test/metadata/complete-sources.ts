/** The sources of metadata with one of everything. */
import type { JsonObject } from '@svc/schema'

const table = (name: string, schema = 'public') => ({ name, schema })

export const completeSources: readonly JsonObject[] = [
  {
    name: 'default',
    kind: 'postgres',
    tables: [
      {
        table: table('album'),
        configuration: {
          column_config: { title: { custom_name: 'name', comment: '' } },
          comment: 'Records',
          custom_column_names: { title: 'name' },
          custom_name: 'record',
          custom_root_fields: { select: 'records', select_by_pk: { name: 'record', comment: 'One' } },
        },
        object_relationships: [
          { name: 'artist', using: { foreign_key_constraint_on: 'artist_id' }, comment: 'who made it' },
          {
            name: 'details',
            using: { foreign_key_constraint_on: { table: table('album_details'), column: 'album_id' } },
          },
        ],
        array_relationships: [
          {
            name: 'tracks',
            using: {
              foreign_key_constraint_on: { table: table('track', 'shop'), columns: ['album_id', 'album_part'] },
            },
          },
          {
            name: 'views',
            using: {
              manual_configuration: {
                remote_table: table('album_views'),
                column_mapping: { id: 'album_id' },
                insertion_order: null,
              },
            },
          },
        ],
        computed_fields: [
          { name: 'length', definition: { function: table('album_length'), table_argument: 'album' }, comment: 'ms' },
        ],
        remote_relationships: [
          {
            name: 'orders',
            definition: {
              to_source: {
                relationship_type: 'array',
                source: 'warehouse',
                table: table('orders', 'dbo'),
                field_mapping: { id: 'album_id' },
              },
            },
          },
          {
            name: 'review',
            definition: {
              remote_schema: 'reviews',
              svc_fields: ['id'],
              remote_field: { review: { arguments: { id: '$id' } } },
            },
          },
        ],
        insert_permissions: [
          {
            role: 'editor',
            permission: { check: { artist_id: { _eq: 'X-Svc-Artist-Id' } }, set: { created_by: 'x-svc-user-id' } },
          },
        ],
        select_permissions: [
          {
            role: 'user',
            permission: {
              columns: ['id', 'title'],
              computed_fields: ['length'],
              filter: { _or: [{ public: { _eq: true } }, { artist: { owner: { $eq: 'X-Svc-User-Id' } } }] },
              limit: 100,
              allow_aggregations: true,
              query_root_fields: [],
              subscription_root_fields: ['select_stream'],
            },
            comment: 'listeners',
          },
        ],
        update_permissions: [
          { role: 'editor', permission: { columns: [], filter: {}, check: null, backend_only: true } },
        ],
        delete_permissions: [
          {
            role: 'editor',
            permission: {
              filter: { _exists: { _table: table('owners'), _where: { id: { _eq: 'X-Svc-User-Id' } } } },
            },
          },
        ],
        event_triggers: [
          {
            name: 'album_changed',
            definition: {
              enable_manual: true,
              insert: { columns: '*' },
              update: { columns: ['title'], payload: '*' },
            },
            retry_conf: { num_retries: 3, interval_sec: 10, timeout_sec: null },
            webhook: '{{HOOKS}}/album',
            headers: [
              { name: 'authorization', value_from_env: 'HOOK_TOKEN' },
              { name: 'x-from', value: 'svc' },
            ],
            request_transform: { version: 2, template_engine: 'Kriti', body: { action: 'remove' } },
            cleanup_config: {
              schedule: '0 0 * * *',
              clear_older_than: 168,
              batch_size: 10000,
              timeout: 60,
              clean_invocation_logs: false,
              paused: true,
            },
          },
        ],
        apollo_federation_config: { enable: 'v1' },
      },
      { table: table('artist') },
      { table: table('genre'), is_enum: true },
    ],
    functions: [
      {
        function: table('search_albums'),
        configuration: { session_argument: 'session', exposed_as: 'query' },
        permissions: [{ role: 'user' }],
        comment: 'full text',
      },
    ],
    native_queries: [
      {
        root_field_name: 'top_albums',
        code: 'SELECT * FROM album LIMIT {{n}}',
        arguments: { n: { type: 'integer', nullable: false } },
        returns: 'top_album',
      },
    ],
    logical_models: [
      {
        name: 'top_album',
        fields: [{ name: 'id', type: { scalar: 'integer', nullable: false } }],
        select_permissions: [{ role: 'user', permission: { columns: ['id'], filter: {} } }],
      },
    ],
    configuration: {
      connection_info: {
        database_url: { from_env: 'SVC_GRAPHQL_DATABASE_URL' },
        isolation_level: 'read-committed',
        pool_settings: { max_connections: 50, idle_timeout: 180, retries: 1 },
        use_prepared_statements: true,
      },
      read_replicas: [
        {
          database_url: 'postgres://replica/db',
          isolation_level: 'read-committed',
          use_prepared_statements: false,
        },
      ],
      extensions_schema: 'extensions',
    },
    query_tags: { disabled: false },
    customization: { root_fields: { namespace: 'shop' }, type_names: { prefix: 'shop_' } },
    health_check: { test: { sql: 'SELECT 1' }, interval: 30, retries: 3, retry_interval: 10, timeout: 10 },
  },
  {
    name: 'analytics',
    kind: 'bigquery',
    tables: [{ table: { dataset: 'logs', name: 'visits' } }],
    configuration: { service_account: { from_env: 'ACCOUNT' }, project_id: 'p', datasets: ['logs'] },
  },
  {
    name: 'warehouse',
    kind: 'mssql',
    tables: [{ table: table('orders', 'dbo') }],
    stored_procedures: [
      {
        stored_procedure: table('count_orders', 'dbo'),
        configuration: { exposed_as: 'query' },
        returns: 'order_count',
        arguments: { since: { type: 'date', nullable: true } },
      },
    ],
    configuration: { connection_info: { connection_string: { from_env: 'WAREHOUSE' } } },
  },
]

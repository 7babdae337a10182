/**
 * Metadata with one of everything, in the spelling of its export (reference/metadata-document#objects): reading and
 * writing must not change it.
 */
import type { JsonObject } from '@svc/schema'

const table = (name: string, schema = 'public') => ({ name, schema })

export const completeMetadata: JsonObject = {
  version: 3,
  sources: [
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
  ],
  remote_schemas: [
    {
      name: 'reviews',
      definition: {
        url: 'https://reviews.example/graphql',
        timeout_seconds: 60,
        customization: { root_fields_namespace: 'reviews' },
        forward_client_headers: true,
      },
      comment: 'of the press',
      permissions: [{ role: 'user', definition: { schema: 'type Query { review(id: Int!): String }\n' } }],
      remote_relationships: [
        {
          type_name: 'Review',
          relationships: [
            {
              name: 'album',
              definition: {
                to_source: {
                  relationship_type: 'object',
                  source: 'default',
                  table: table('album'),
                  field_mapping: { album_id: 'id' },
                },
              },
            },
          ],
        },
      ],
    },
  ],
  query_collections: [
    { name: 'allowed', definition: { queries: [{ name: 'albums', query: 'query { records { id } }' }] } },
  ],
  allowlist: [{ collection: 'allowed', scope: { global: false, roles: ['user'] } }],
  actions: [
    {
      name: 'login',
      definition: {
        handler: '{{HOOKS}}/login',
        output_type: 'Session',
        ignored_client_headers: ['Host'],
        headers: [{ name: 'x', value: 'y' }],
        arguments: [{ name: 'input', type: 'Credentials!' }],
        type: 'mutation',
        kind: 'asynchronous',
        timeout: 5,
      },
      comment: 'signs in',
      permissions: [{ role: 'anonymous' }],
    },
  ],
  custom_types: {
    input_objects: [{ name: 'Credentials', fields: [{ name: 'user', type: 'String!' }] }],
    objects: [
      {
        name: 'Session',
        fields: [{ name: 'id', type: 'Int!' }],
        relationships: [
          {
            name: 'user',
            type: 'object',
            source: 'default',
            remote_table: table('users'),
            field_mapping: { id: 'id' },
          },
        ],
      },
    ],
    scalars: [{ name: 'Token' }],
    enums: [{ name: 'Colour', values: [{ value: 'RED', is_deprecated: true }, { value: 'BLUE' }] }],
  },
  cron_triggers: [
    {
      name: 'nightly',
      webhook: { from_env: 'NIGHTLY' },
      schedule: '0 3 * * *',
      include_in_metadata: true,
      payload: { a: [1, { b: 2 }] },
      retry_conf: { num_retries: 2, retry_interval_seconds: 10, timeout_seconds: 60, tolerance_seconds: 21600 },
    },
  ],
  rest_endpoints: [
    {
      name: 'albums',
      url: 'albums/:id',
      methods: ['GET', 'POST'],
      definition: { query: { collection_name: 'allowed', query_name: 'albums' } },
      comment: 'for the app',
    },
  ],
  api_limits: {
    depth_limit: { global: 5, per_role: { user: 3 } },
    rate_limit: { global: { max_reqs_per_min: 10, unique_params: 'IP' } },
  },
  metrics_config: { analyze_query_variables: true, analyze_response_body: false },
  inherited_roles: [{ role_name: 'both', role_set: ['user', 'editor'] }],
  graphql_schema_introspection: { disabled_for_roles: ['anonymous'] },
  network: { tls_allowlist: [{ host: 'hooks.example', suffix: '8443', permissions: ['self-signed'] }] },
  backend_configs: { dataconnector: { sqlite: { uri: 'http://agent:8100' } } },
  opentelemetry: {
    status: 'enabled',
    data_types: ['traces'],
    exporter_otlp: {
      otlp_traces_endpoint: 'http://collector:4318/v1/traces',
      protocol: 'http/protobuf',
      headers: [],
      resource_attributes: [{ name: 'env', value: 'prod' }],
      traces_propagators: [],
    },
    batch_span_processor: { max_export_batch_size: 512 },
  },
}

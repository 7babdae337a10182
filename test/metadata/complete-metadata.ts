/**
 * Metadata with one of everything, in the spelling of its export (reference/metadata-document#objects): reading and
 * writing must not change it.
 */
import type { JsonObject } from '@svc/schema'
import { completeSources } from './complete-sources.ts'

const table = (name: string, schema = 'public') => ({ name, schema })

export const completeMetadata: JsonObject = {
  version: 3,
  sources: completeSources,
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

/** Values for the examples of operations: of a music store, by the name of a key, else by its JSON Schema. */
import type { Json, JsonObject } from '@svc/schema'

const byKey: Readonly<Record<string, Json>> = {
  table: 'album',
  tables: ['album', 'artist'],
  remote_table: 'artist',
  name: 'catalogue',
  new_name: 'records',
  role: 'listener',
  role_name: 'editor',
  role_set: ['listener', 'seller'],
  columns: ['id', 'title'],
  filter: { artist_id: { _eq: 'X-Svc-Artist-Id' } },
  check: { artist_id: { _eq: 'X-Svc-Artist-Id' } },
  where: { id: { _eq: 1 } },
  url: 'https://catalogue.example.com/graphql',
  webhook: 'https://hooks.example.com/new-album',
  webhook_url: 'https://hooks.example.com/new-album',
  schedule: '0 6 * * 1',
  schedule_at: '2030-01-01T06:00:00Z',
  event_id: '0b0f6b0e-7d3c-4f63-9a49-5b8a8d3f9d11',
  function: 'search_albums',
  sql: 'SELECT count(*) FROM album',
  code: 'SELECT id, title FROM album WHERE artist_id = {{artist_id}}',
  query: 'query Albums { album { id title } }',
  host: 'catalogue.internal',
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  connection_info: { database_url: { from_env: 'STORE_DATABASE_URL' } },
  configuration: { connection_info: { database_url: { from_env: 'STORE_DATABASE_URL' } } },
}

/** What an operation of this name speaks of where its arguments do not say. */
const overrides: Readonly<Record<string, JsonObject>> = {
  add_collection_to_allowlist: { collection: 'shop' },
  add_query_to_collection: { collection_name: 'shop', query_name: 'Albums', query: 'query Albums { album { id } }' },
  add_remote_schema: { name: 'reviews', definition: { url: 'https://reviews.example.com/graphql' } },
  update_remote_schema: {
    name: 'reviews',
    definition: { url: 'https://reviews.example.com/graphql', timeout_seconds: 10 },
  },
  add_remote_schema_permissions: {
    remote_schema: 'reviews',
    role: 'listener',
    definition: { schema: 'type Query { reviews(album: Int!): [Review] } type Review { stars: Int }' },
  },
  create_action: {
    name: 'buy',
    definition: {
      handler: 'https://shop.example.com/buy',
      arguments: [{ name: 'album', type: 'Int!' }],
      output_type: 'Receipt',
    },
  },
  update_action: {
    name: 'buy',
    definition: { handler: '{{SHOP_URL}}/buy', arguments: [{ name: 'album', type: 'Int!' }], output_type: 'Receipt' },
  },
  create_oidc_trust: {
    name: 'ci',
    issuer: 'https://token.actions.githubusercontent.com',
    audiences: ['svc'],
    claims: { repository: 'shop/store' },
    scopes: [{ allow: 'plan' }],
  },
  create_custom_type: { enum: { name: 'Shipping', values: [{ value: 'FAST' }] } },
  set_custom_types: { objects: [{ name: 'Receipt', fields: [{ name: 'id', type: 'uuid!' }] }] },
  create_query_collection: {
    name: 'shop',
    definition: { queries: [{ name: 'Albums', query: 'query Albums { album { id title } }' }] },
  },
  create_rest_endpoint: {
    name: 'albums',
    url: 'albums',
    methods: ['GET'],
    definition: { query: { collection_name: 'shop', query_name: 'Albums' } },
  },
  create_cron_trigger: {
    name: 'report',
    webhook: 'https://hooks.example.com/report',
    schedule: '0 6 * * 1',
    include_in_metadata: true,
  },
  create_scheduled_event: { webhook: 'https://hooks.example.com/new-album', schedule_at: '2030-01-01T06:00:00Z' },
  pg_create_event_trigger: {
    name: 'new_album',
    table: 'album',
    insert: { columns: '*' },
    webhook: 'https://hooks.example.com/new-album',
  },
  pg_invoke_event_trigger: { name: 'new_album', payload: { id: 1 } },
  pg_create_object_relationship: { table: 'album', name: 'artist', using: { foreign_key_constraint_on: 'artist_id' } },
  pg_create_array_relationship: {
    table: 'artist',
    name: 'albums',
    using: { foreign_key_constraint_on: { table: 'album', column: 'artist_id' } },
  },
  pg_create_remote_relationship: {
    table: 'album',
    name: 'reviews',
    definition: {
      to_remote_schema: {
        remote_schema: 'reviews',
        lhs_fields: ['id'],
        remote_field: { reviews: { arguments: { album: '$id' } } },
      },
    },
  },
  create_remote_schema_remote_relationship: {
    remote_schema: 'reviews',
    type_name: 'Review',
    name: 'album',
    definition: {
      to_source: { source: 'default', table: 'album', relationship_type: 'object', field_mapping: { album_id: 'id' } },
    },
  },
  pg_set_table_customization: { table: 'album', configuration: { custom_name: 'record' } },
  pg_track_table: { table: 'album', configuration: { custom_name: 'record' } },
  pg_set_table_custom_fields: { table: 'album', custom_column_names: { title: 'name' } },
  pg_set_apollo_federation_config: { table: 'album', apollo_federation_config: { enable: 'v1' } },
  pg_set_function_customization: { function: 'search_albums', configuration: { custom_name: 'search' } },
  pg_add_computed_field: { table: 'artist', name: 'full_name', definition: { function: 'artist_full_name' } },
  pg_track_logical_model: {
    name: 'album_title',
    fields: [
      { name: 'id', type: { scalar: 'integer' } },
      { name: 'title', type: { scalar: 'text' } },
    ],
  },
  pg_track_native_query: {
    root_field_name: 'albums_of',
    code: 'SELECT id, title FROM album WHERE artist_id = {{artist}}',
    arguments: { artist: { type: 'integer' } },
    returns: 'album_title',
  },
  pg_update_source: { name: 'default', customization: { root_fields: { prefix: 'store_' } } },
  pg_pause_event_trigger_cleanups: { event_triggers: { sources: '*' } },
  pg_resume_event_trigger_cleanups: { event_triggers: { sources: '*' } },
  reload_metadata: { reload_sources: ['default'] },
  replace_metadata: { metadata: { version: 3, sources: [] }, allow_inconsistent_metadata: false },
  set_api_limits: { depth_limit: { global: 8, per_role: { listener: 5 } } },
  set_catalog_state: { type: 'cli', state: { migrations: {} } },
  set_graphql_schema_introspection_options: { disabled_for_roles: ['listener'] },
  set_opentelemetry_config: { status: 'enabled', data_types: ['traces'] },
  set_query_tags: { source_name: 'default', format: 'sqlcommenter' },
  rename_source: { name: 'default', new_name: 'store' },
  insert: { table: 'artist', objects: [{ name: 'Nina' }], returning: ['id'] },
  update: { table: 'artist', where: { id: 1 }, $set: { name: 'Nina' } },
  select: { table: 'album', columns: ['id', { name: 'artist', columns: ['name'] }], where: { id: { $gt: 1 } } },
}

/** Arguments to show for an operation: the required ones. Undefined where it has none. */
export function exampleArgs(type: string, schema: JsonObject): Json | undefined {
  const own =
    overrides[type] ?? overrides[type.replace('update_', 'create_')] ?? overrides[type.replace('update_', 'track_')]
  if (own) return own
  if (type === 'set_opentelemetry_status') return 'enabled'
  if (/bulk/.test(type)) {
    const member = type === 'concurrent_bulk' ? 'run_sql' : 'pg_track_table'
    return [{ type: member, args: member === 'run_sql' ? { sql: 'SELECT 1', read_only: true } : { table: 'album' } }]
  }
  return Object.keys(schema).length === 0 ? {} : exampleOf(schema)
}

function exampleOf(schema: JsonObject, key = ''): Json {
  const known = byKey[key]
  if (known !== undefined) return known
  const { anyOf, enum: values, type, properties, required, items } = schema
  if (Array.isArray(values)) return values[0] ?? null
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] as JsonObject, key)
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return key === '' ? 'text' : key
    case 'integer':
    case 'number':
      return 24
    case 'boolean':
      return true
    case 'array':
      return [exampleOf((items ?? {}) as JsonObject)]
    case 'object': {
      const keys = Array.isArray(required) ? required : []
      const shapes = (properties ?? {}) as JsonObject
      return Object.fromEntries(keys.map((name) => [name, exampleOf(shapes[String(name)] as JsonObject, String(name))]))
    }
    default:
      return { id: 1 }
  }
}

/** Every operation of the contract by its name (reference/metadata-operations), with the kinds of source that have it. */

/** The prefixes of the kinds that are served here, and of those that are not. */
export const prefixes = {
  postgres: ['pg', 'postgres'],
  citus: ['citus'],
  cockroach: ['cockroach'],
  mssql: ['mssql'],
  bigquery: ['bigquery'],
  agent: ['sqlite'],
} as const
export type Kind = keyof typeof prefixes

const all: readonly Kind[] = ['postgres', 'citus', 'cockroach', 'mssql', 'bigquery', 'agent']
const postgresFamily: readonly Kind[] = ['postgres', 'citus', 'cockroach']

export interface ContractOperation {
  readonly name: string
  /** Called with a prefix, and without one where `unprefixed`. */
  readonly kinds: readonly Kind[]
  readonly unprefixed: boolean
  readonly onQuery: boolean
  readonly at: '/v1/metadata' | '/v2/query'
}

const metadata = (kinds: readonly Kind[], onQuery: boolean, names: string): readonly ContractOperation[] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => ({
      name,
      kinds,
      unprefixed: kinds.length === 0 || kinds.includes('postgres'),
      onQuery,
      at: '/v1/metadata',
    }))

const permissions = ['insert', 'select', 'update', 'delete'].map(
  (kind) => `create_${kind}_permission drop_${kind}_permission`,
)

export const contractOperations: readonly ContractOperation[] = [
  ...metadata([], true, 'export_metadata replace_metadata reload_metadata clear_metadata get_inconsistent_metadata'),
  ...metadata([], true, 'drop_inconsistent_metadata dump_internal_state create_cron_trigger delete_cron_trigger'),
  ...metadata([], true, 'create_scheduled_event create_action update_action drop_action create_action_permission'),
  ...metadata([], true, 'drop_action_permission set_custom_types create_query_collection drop_query_collection'),
  ...metadata([], true, 'add_query_to_collection drop_query_from_collection add_collection_to_allowlist'),
  ...metadata([], true, 'drop_collection_from_allowlist create_rest_endpoint drop_rest_endpoint add_remote_schema'),
  ...metadata([], true, 'update_remote_schema remove_remote_schema reload_remote_schema introspect_remote_schema'),
  ...metadata([], false, 'test_webhook_transform get_catalog_state set_catalog_state rename_source list_source_kinds'),
  ...metadata([], false, 'get_source_kind_capabilities set_query_tags dc_add_agent dc_delete_agent'),
  ...metadata(
    [],
    false,
    'delete_scheduled_event get_cron_triggers get_scheduled_events get_scheduled_event_invocations',
  ),
  ...metadata([], false, 'rename_query_collection update_scope_of_collection_in_allowlist'),
  ...metadata([], false, 'add_remote_schema_permissions drop_remote_schema_permissions'),
  ...metadata([], false, 'create_remote_schema_remote_relationship update_remote_schema_remote_relationship'),
  ...metadata([], false, 'delete_remote_schema_remote_relationship add_inherited_role drop_inherited_role'),
  ...metadata([], false, 'set_api_limits remove_api_limits set_metrics_config remove_metrics_config'),
  ...metadata(
    [],
    false,
    'set_graphql_schema_introspection_options add_host_to_tls_allowlist drop_host_from_tls_allowlist',
  ),
  ...metadata([], false, 'set_opentelemetry_config set_opentelemetry_status bulk_keep_going bulk_atomic'),
  ...metadata(all, true, 'track_table untrack_table set_table_customization drop_relationship rename_relationship'),
  ...metadata(all, true, 'create_object_relationship create_array_relationship set_relationship_comment'),
  ...metadata(all, true, 'create_remote_relationship update_remote_relationship delete_remote_relationship'),
  ...metadata(all, true, `set_permission_comment ${permissions.join(' ')}`),
  ...metadata(all, false, 'add_source drop_source update_source get_source_tables get_table_info track_tables'),
  ...metadata(all, false, 'untrack_tables set_apollo_federation_config suggest_relationships track_native_query'),
  ...metadata(all, false, 'untrack_native_query get_native_query track_logical_model untrack_logical_model'),
  ...metadata(
    all,
    false,
    'get_logical_model create_logical_model_select_permission drop_logical_model_select_permission',
  ),
  ...metadata(['postgres', 'cockroach'], true, 'set_table_is_enum'),
  ...metadata(['postgres', 'citus'], true, 'track_function untrack_function'),
  ...metadata(
    ['postgres', 'citus'],
    false,
    'set_function_customization create_function_permission drop_function_permission',
  ),
  ...metadata(['postgres', 'bigquery'], true, 'add_computed_field drop_computed_field'),
  ...metadata(
    ['postgres', 'mssql'],
    true,
    'create_event_trigger delete_event_trigger redeliver_event invoke_event_trigger',
  ),
  ...metadata(['postgres', 'mssql'], false, 'get_event_logs get_event_invocation_logs get_event_by_id'),
  ...metadata(
    ['postgres', 'mssql'],
    false,
    'cleanup_event_trigger_logs pause_event_trigger_cleanups resume_event_trigger_cleanups',
  ),
  ...metadata(['mssql'], false, 'track_stored_procedure untrack_stored_procedure get_stored_procedure'),
  ...metadata(postgresFamily, false, 'test_connection_template'),
  { name: 'bulk', kinds: [], unprefixed: true, onQuery: true, at: '/v1/metadata' },
  { name: 'concurrent_bulk', kinds: [], unprefixed: true, onQuery: false, at: '/v2/query' },
  ...['insert', 'select', 'update', 'delete', 'count'].map(
    (name): ContractOperation => ({ name, kinds: [], unprefixed: true, onQuery: true, at: '/v2/query' }),
  ),
  { name: 'run_sql', kinds: all, unprefixed: true, onQuery: true, at: '/v2/query' },
  { name: 'database_inspection', kinds: ['bigquery'], unprefixed: false, onQuery: false, at: '/v2/query' },
]

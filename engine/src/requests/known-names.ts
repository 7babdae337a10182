/**
 * The operations that the contract knows (reference/metadata-operations#the-whole-document), by which an operation that
 * this version does not serve is distinguished from a name that means nothing. What is served is no part of this list:
 * it is asked of the request table.
 */
const inSources: readonly string[] = [
  ...['add_source', 'drop_source', 'update_source', 'get_source_tables', 'get_table_info'],
  ...['track_table', 'track_tables', 'untrack_table', 'untrack_tables', 'set_table_is_enum'],
  ...['set_table_customization', 'set_table_custom_fields', 'set_apollo_federation_config'],
  ...['create_object_relationship', 'create_array_relationship', 'drop_relationship', 'rename_relationship'],
  ...['set_relationship_comment', 'suggest_relationships'],
  ...['create_remote_relationship', 'update_remote_relationship', 'delete_remote_relationship'],
  ...['track_function', 'untrack_function', 'set_function_customization'],
  ...['create_function_permission', 'drop_function_permission'],
  ...['insert', 'select', 'update', 'delete'].flatMap((kind) => [
    `create_${kind}_permission`,
    `drop_${kind}_permission`,
  ]),
  ...['set_permission_comment', 'add_computed_field', 'drop_computed_field'],
  ...['create_event_trigger', 'delete_event_trigger', 'redeliver_event', 'invoke_event_trigger'],
  ...['get_event_logs', 'get_event_invocation_logs', 'get_event_by_id', 'cleanup_event_trigger_logs'],
  ...['pause_event_trigger_cleanups', 'resume_event_trigger_cleanups'],
  ...['native_query', 'logical_model'].flatMap((kind) => [`track_${kind}`, `untrack_${kind}`, `get_${kind}`]),
  ...['create_logical_model_select_permission', 'drop_logical_model_select_permission'],
  ...['track_stored_procedure', 'untrack_stored_procedure', 'get_stored_procedure'],
  ...['test_connection_template', 'run_sql', 'database_inspection'],
]

const others: readonly string[] = [
  ...['export_metadata', 'replace_metadata', 'reload_metadata', 'clear_metadata', 'get_inconsistent_metadata'],
  ...['drop_inconsistent_metadata', 'test_webhook_transform', 'dump_internal_state'],
  ...['get_catalog_state', 'set_catalog_state', 'rename_source', 'list_source_kinds'],
  ...['get_source_kind_capabilities', 'set_query_tags', 'dc_add_agent', 'dc_delete_agent'],
  ...['create', 'update', 'delete'].map((verb) => `${verb}_remote_schema_remote_relationship`),
  ...['create_cron_trigger', 'delete_cron_trigger', 'create_scheduled_event', 'delete_scheduled_event'],
  ...['get_cron_triggers', 'get_scheduled_events', 'get_scheduled_event_invocations'],
  ...['create_action', 'update_action', 'drop_action', 'create_action_permission', 'drop_action_permission'],
  ...['set_custom_types', 'create_query_collection', 'rename_query_collection', 'drop_query_collection'],
  ...['add_query_to_collection', 'drop_query_from_collection', 'add_collection_to_allowlist'],
  ...['drop_collection_from_allowlist', 'update_scope_of_collection_in_allowlist'],
  ...['create_rest_endpoint', 'drop_rest_endpoint', 'add_remote_schema', 'update_remote_schema'],
  ...['remove_remote_schema', 'reload_remote_schema', 'introspect_remote_schema'],
  ...['add_remote_schema_permissions', 'drop_remote_schema_permissions'],
  ...['add_inherited_role', 'drop_inherited_role', 'set_api_limits', 'remove_api_limits'],
  ...['set_metrics_config', 'remove_metrics_config', 'set_graphql_schema_introspection_options'],
  ...['add_host_to_tls_allowlist', 'drop_host_from_tls_allowlist'],
  ...['set_opentelemetry_config', 'set_opentelemetry_status'],
  ...['bulk', 'bulk_keep_going', 'bulk_atomic', 'concurrent_bulk'],
  ...['insert', 'select', 'update', 'delete', 'count'],
]

/** Kinds of source that the contract knows, by the prefixes of their operations; an agent is any other name. */
export const otherKinds: readonly string[] = ['mssql', 'bigquery']

/** Only sources of this kind have them. */
const belongsTo: Readonly<Record<string, string>> = {
  track_stored_procedure: 'mssql',
  untrack_stored_procedure: 'mssql',
  get_stored_procedure: 'mssql',
  database_inspection: 'bigquery',
}

/** The names of operations that this version does not serve, given those that it does: sorted. */
export function namesNotServed(served: ReadonlySet<string>): readonly string[] {
  const own = others.filter((name) => !served.has(name))
  const ofPostgres = inSources.filter((name) => !(name in belongsTo)).map((name) => `pg_${name}`)
  const ofOthers = otherKinds.flatMap((prefix) =>
    inSources
      // kept and not served, they can be dropped
      .filter((name) => (belongsTo[name] ?? prefix) === prefix && name !== 'drop_source')
      .map((name) => `${prefix}_${name}`),
  )
  return [...own, ...[...ofPostgres, ...ofOthers].filter((name) => !served.has(name))].toSorted()
}

/**
 * Whether the contract knows an operation by that name, where none is served by it: its own name, or that of an
 * operation on sources after the prefix of a kind that is not served (`mssql_`, `bigquery_`, an agent's).
 */
export function isKnownName(type: string, servedPrefixes: ReadonlySet<string>): boolean {
  if (others.includes(type) || inSources.includes(type)) return true
  const [, prefix = '', name = ''] = /^([A-Za-z][A-Za-z0-9]*)_(.+)$/.exec(type) ?? []
  if (!inSources.includes(name)) return false
  return !servedPrefixes.has(prefix) || prefix === 'pg' || prefix === 'postgres'
}

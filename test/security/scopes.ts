/** Which scope allows which operation, by its name without a prefix: what the documentation says, written a second time. */
export type Scope = 'read' | 'plan' | 'change' | 'sql' | 'events' | 'explain' | 'break_glass'
export const scopes: readonly Scope[] = ['read', 'plan', 'change', 'sql', 'events', 'explain', 'break_glass']

const reads = new Set(
  'export_metadata get_inconsistent_metadata get_catalog_state introspect_remote_schema list_source_kinds get_source_kind_capabilities get_cron_triggers get_source_tables get_source_objects get_table_info suggest_relationships get_native_query get_logical_model get_stored_procedure get_metadata_changes get_usage database_inspection get_object_owners list_drafts'.split(
    ' ',
  ),
)
export const ofEvents: ReadonlySet<string> = new Set(
  'create_scheduled_event delete_scheduled_event get_scheduled_events get_scheduled_event_invocations redeliver_event invoke_event_trigger get_event_logs get_event_invocation_logs get_event_by_id cleanup_event_trigger_logs'.split(
    ' ',
  ),
)
/** They show or keep what a token must not see, or are no operations of metadata. */
export const adminsOnly: ReadonlySet<string> = new Set(
  'dump_internal_state test_webhook_transform test_connection_template set_catalog_state create_access_token rotate_access_token update_access_token revoke_access_token list_access_tokens create_oidc_trust update_oidc_trust drop_oidc_trust list_oidc_trusts get_audit_log open_draft drop_draft count_draft_rows select insert update delete count nothing_of_the_kind'.split(
    ' ',
  ),
)

export function allowed(scope: Scope, operation: string, isDry: boolean): boolean {
  if (adminsOnly.has(operation)) return false
  if (operation === 'run_sql') return scope === 'sql'
  if (ofEvents.has(operation)) return scope === 'events'
  if (operation === 'set_object_owners') return scope === 'change'
  if (reads.has(operation)) return scope === 'read' || scope === 'plan' || scope === 'change'
  return scope === 'change' || (isDry && scope === 'plan')
}

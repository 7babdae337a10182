import { keyedObject, type MetadataDocument, type ObjectAddress, tableText } from '@svc/schema'

/** How a dependent is named in a dependency-error (spec 01 §6): `permission author.user.select in source "default"`. */
export function dependentText(document: MetadataDocument, at: ObjectAddress): string {
  const { key, parent } = keyedObject(document, at)
  const own = Object.values(key)[0] ?? null
  const above = parent ? tableText(Object.values(parent.key)[0] ?? null) : ''
  const source = (parent?.parent ?? parent)?.key.name
  const place = source === undefined ? '' : ` in source "${String(source)}"`
  switch (at.type) {
    case 'object_relation':
    case 'array_relation':
      return `relationship ${above}.${String(own)}${place}`
    case 'select_permission':
    case 'insert_permission':
    case 'update_permission':
    case 'delete_permission':
      return `permission ${above}.${String(own)}.${at.type.replace('_permission', '')}${place}`
    case 'computed_field':
      return `computed field ${above}.${String(own)}${place}`
    case 'remote_relationship':
      return `remote relationship ${above}.${String(own)}${place}`
    case 'event_trigger':
      return `event-trigger ${above}.${String(own)}${place}`
    case 'table':
    case 'function':
      return `${at.type} ${tableText(own)}${place}`
    case 'remote_schema_permission':
      return `remote schema permission ${above}."${String(own)}"`
    case 'remote_schema_remote_relationship':
      return `remote_relationship ${String(key.name)} on type ${String(key.type_name)} in remote schema ${above}`
    case 'inherited_role':
      return `role ${String(own)}`
    case 'source':
    case 'function_permission':
    case 'native_query':
    case 'stored_procedure':
    case 'logical_model':
    case 'logical_model_select_permission':
    case 'remote_schema':
    case 'query_collection':
    case 'allowlist':
    case 'action':
    case 'action_permission':
    case 'custom_types':
    case 'cron_trigger':
    case 'rest_endpoint':
    case 'api_limits':
    case 'metrics_config':
    case 'graphql_schema_introspection':
    case 'network':
    case 'backend_configs':
    case 'opentelemetry':
      return `${at.type.replaceAll('_', ' ')} ${tableText(own)}${place}`
  }
}

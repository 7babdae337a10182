import { equalJson, type Json, type JsonObject, nameStyle, type ObjectChange } from '@svc/schema'
import type { Envelope } from '../client/index.ts'

/** Where an object stands: the source it is in (or is) and the table, as operations name them. */
export interface Place {
  readonly source: string
  /** The kind of that source. */
  readonly kind: string
  readonly table: Json
}

/**
 * The operations that make one change of an object, to be sent as one atomic bulk where they are several; null for
 * what no operation can say: then the whole document is replaced.
 */
export function operationsOf(change: ObjectChange, place: Place | null): readonly Envelope[] | null {
  const { type } = change.address
  if (!place || nameStyle(place.kind) !== 'public' || place.kind !== 'postgres') return null
  switch (type) {
    case 'source':
      return sourceOperations(change, place)
    case 'table':
      return tableOperations(change, place)
    case 'object_relation':
    case 'array_relation':
      return relationshipOperations(change, place)
    case 'select_permission':
      return permissionOperations(change, place)
    case 'computed_field':
    case 'remote_relationship':
    case 'insert_permission':
    case 'update_permission':
    case 'delete_permission':
    case 'event_trigger':
    case 'function':
    case 'function_permission':
    case 'native_query':
    case 'stored_procedure':
    case 'logical_model':
    case 'logical_model_select_permission':
    case 'remote_schema':
    case 'remote_schema_permission':
    case 'remote_schema_remote_relationship':
    case 'query_collection':
    case 'allowlist':
    case 'action':
    case 'action_permission':
    case 'custom_types':
    case 'cron_trigger':
    case 'rest_endpoint':
    case 'api_limits':
    case 'metrics_config':
    case 'inherited_role':
    case 'graphql_schema_introspection':
    case 'network':
    case 'backend_configs':
    case 'opentelemetry':
      return null
  }
}

const op = (type: string, args: JsonObject): Envelope => ({ type, args })

const changedKeys = (old: JsonObject, now: JsonObject): readonly string[] =>
  [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((key) => !equalJson(old[key], now[key]))

function sourceOperations({ old, new: now }: ObjectChange, { source }: Place): readonly Envelope[] | null {
  if (!now) return [op('pg_drop_source', { name: source })]
  const { kind: _, query_tags, ...value } = now.value
  if (!old) return query_tags === undefined ? [op('pg_add_source', value)] : null
  const keys = changedKeys(old.value, now.value)
  const { configuration = null, customization = {}, health_check } = now.value
  if (!keys.every((key) => ['configuration', 'customization', 'health_check'].includes(key))) return null
  if (keys.includes('health_check') && health_check === undefined) return null
  const parts: JsonObject = { configuration, customization, ...(health_check === undefined ? {} : { health_check }) }
  return [op('pg_update_source', { name: source, ...Object.fromEntries(keys.map((key) => [key, parts[key] ?? null])) })]
}

function tableOperations({ old, new: now }: ObjectChange, { source, table }: Place): readonly Envelope[] | null {
  if (!now) return [op('pg_untrack_table', { source, table })]
  if (!old) return [op('pg_track_table', { source, ...now.value })]
  const keys = changedKeys(old.value, now.value)
  if (!keys.every((key) => key === 'configuration' || key === 'is_enum')) return null
  const { configuration = {}, is_enum = false } = now.value
  return [
    ...(keys.includes('configuration') ? [op('pg_set_table_customization', { source, table, configuration })] : []),
    ...(keys.includes('is_enum') ? [op('pg_set_table_is_enum', { source, table, is_enum })] : []),
  ]
}

function relationshipOperations(
  { address, old, new: now }: ObjectChange,
  { source, table }: Place,
): readonly Envelope[] {
  const drop = (value: JsonObject) => op('pg_drop_relationship', { source, table, relationship: value.name ?? null })
  const create = (value: JsonObject) => op(`pg_create_${address.type}ship`, { source, table, ...value })
  if (!now) return old ? [drop(old.value)] : []
  if (!old) return [create(now.value)]
  if (changedKeys(old.value, now.value).every((key) => key === 'comment'))
    return [
      op('pg_set_relationship_comment', {
        source,
        table,
        relationship: now.value.name ?? null,
        comment: now.value.comment ?? null,
      }),
    ]
  return [drop(old.value), create(now.value)]
}

function permissionOperations({ old, new: now }: ObjectChange, { source, table }: Place): readonly Envelope[] {
  const drop = (value: JsonObject) => op('pg_drop_select_permission', { source, table, role: value.role ?? null })
  const create = (value: JsonObject) => op('pg_create_select_permission', { source, table, ...value })
  if (!now) return old ? [drop(old.value)] : []
  if (!old) return [create(now.value)]
  if (changedKeys(old.value, now.value).every((key) => key === 'comment'))
    return [
      op('pg_set_permission_comment', {
        source,
        table,
        role: now.value.role ?? null,
        type: 'select',
        comment: now.value.comment ?? null,
      }),
    ]
  return [drop(old.value), create(now.value)]
}

/** How an object is named to people and to machines (spec 01 §5; OBJECT on the wire). */
import { findObject, type MetadataDocument, type ObjectAddress } from './document.ts'
import type { Json, JsonObject } from './json.ts'
import { type ObjectType, objectKinds } from './object-kinds.ts'

export interface ObjectName {
  readonly type: ObjectType
  /** `select_permission user in table artist in source default` */
  readonly name: string
  /** Own key and those of the parents: `{ source: 'default', table: {…}, role: 'user' }` */
  readonly key: JsonObject
}

/** A chain of own keys from the top to the object. Own texts are escaped, so the keys themselves travel along. */
export interface KeyedObject {
  readonly type: ObjectType
  readonly key: JsonObject
  readonly parent: KeyedObject | null
}

/** PostgreSQL and SQL Server names drop their default schema in texts. */
export function tableText(table: Json): string {
  if (typeof table !== 'object' || table === null || Array.isArray(table)) return String(table)
  const { schema, dataset, name } = table as JsonObject
  if (dataset !== undefined) return `${String(dataset)}.${String(name)}`
  return schema === undefined || schema === 'public' || schema === 'dbo'
    ? String(name)
    : `${String(schema)}.${String(name)}`
}

/** The keyed form of an address in a document that holds it. */
export function keyedObject(document: MetadataDocument, at: ObjectAddress): KeyedObject {
  const value = findObject(document, at)?.value ?? {}
  return { type: at.type, key: objectKinds[at.type].key(value), parent: at.parent && keyedObject(document, at.parent) }
}

const parentLabel: Partial<Record<ObjectType, (key: JsonObject) => string>> = {
  source: (key) => `in source ${String(key.name)}`,
  table: (key) => `in table ${tableText(key.table ?? null)}`,
  remote_schema: (key) => `in remote schema ${String(key.name)}`,
  function: (key) => `for function ${tableText(key.function ?? null)}`,
  action: (key) => `in ${String(key.name)}`,
  logical_model: (key) => `in logical model ${String(key.name)}`,
}

const ownLabel = (type: ObjectType, key: JsonObject): string => {
  switch (type) {
    case 'table':
      return tableText(key.table ?? null)
    case 'function':
      return tableText(key.function ?? null)
    case 'stored_procedure':
      return tableText(key.stored_procedure ?? null)
    case 'inherited_role':
      return `inherited role ${String(key.role_name)}`
    case 'remote_schema_permission':
    case 'action_permission':
    case 'function_permission':
      return `${String(key.role)} permission`
    case 'remote_schema_remote_relationship':
      return `remote_relationship ${String(key.name)} on type ${String(key.type_name)}`
    case 'custom_types':
    case 'api_limits':
    case 'metrics_config':
    case 'graphql_schema_introspection':
    case 'network':
    case 'backend_configs':
      return type
    case 'opentelemetry':
      return 'all'
    case 'source':
    case 'object_relation':
    case 'array_relation':
    case 'computed_field':
    case 'remote_relationship':
    case 'insert_permission':
    case 'select_permission':
    case 'update_permission':
    case 'delete_permission':
    case 'event_trigger':
    case 'native_query':
    case 'logical_model':
    case 'logical_model_select_permission':
    case 'remote_schema':
    case 'query_collection':
    case 'allowlist':
    case 'action':
    case 'cron_trigger':
    case 'rest_endpoint':
      return String(Object.values(key)[0])
  }
}

/** `<type> <own> in table <t> in source <s>` (spec 01 §5). */
export function nameText(object: KeyedObject): string {
  const parents: string[] = []
  for (let parent = object.parent; parent; parent = parent.parent)
    parents.push(parentLabel[parent.type]?.(parent.key) ?? '')
  return [`${object.type} ${ownLabel(object.type, object.key)}`, ...parents].join(' ')
}

/** Keys of the parents under the parent's type (`source`, `table`, `function`, `action` …), then the own key. */
export function fullKey(object: KeyedObject): JsonObject {
  const parents = (parent: KeyedObject | null): JsonObject =>
    parent ? { ...parents(parent.parent), [parent.type]: Object.values(parent.key)[0] ?? null } : {}
  return { ...parents(object.parent), ...object.key }
}

export function objectName(object: KeyedObject): ObjectName {
  return { type: object.type, name: nameText(object), key: fullKey(object) }
}

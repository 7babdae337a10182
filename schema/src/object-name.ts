/**
 * How an object is named to people and to machines (reference/metadata-document#inconsistent-objects; OBJECT on the
 * wire).
 */
import { findObject, type MetadataDocument, type ObjectAddress } from './document.ts'
import type { JsonObject } from './json.ts'
import { tableText } from './name-rules.ts'
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

/** The keyed form of an address in a document that has the object. */
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

const ownLabels: Partial<Record<ObjectType, (key: JsonObject) => string>> = {
  table: (key) => tableText(key.table ?? null),
  function: (key) => tableText(key.function ?? null),
  stored_procedure: (key) => tableText(key.stored_procedure ?? null),
  inherited_role: (key) => `inherited role ${String(key.role_name)}`,
  remote_schema_permission: (key) => `${String(key.role)} permission`,
  action_permission: (key) => `${String(key.role)} permission`,
  function_permission: (key) => `${String(key.role)} permission`,
  remote_schema_remote_relationship: (key) =>
    `remote_relationship ${String(key.name)} on type ${String(key.type_name)}`,
  opentelemetry: () => 'all',
}

/** Without a label of its own: its name, or its kind where there is only one of it. */
const ownLabel = (type: ObjectType, key: JsonObject): string =>
  ownLabels[type]?.(key) ?? String(Object.values(key)[0] ?? type)

/** The kind of an object as lists of inconsistent objects call it. */
export const typeText = (type: ObjectType): string => (type === 'opentelemetry' ? 'open_telemetry' : type)

export function nameText(object: KeyedObject): string {
  const parents: string[] = []
  for (let parent = object.parent; parent; parent = parent.parent)
    parents.push(parentLabel[parent.type]?.(parent.key) ?? '')
  return [`${typeText(object.type)} ${ownLabel(object.type, object.key)}`, ...parents].join(' ')
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

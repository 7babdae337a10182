import { isRecord, type Json, type JsonObject, type MetadataObject } from '@svc/schema'
import type { TableId } from '../model.ts'
import type { Lookup } from '../resolve/surroundings.ts'
import type { DatabaseNames } from './database-names.ts'
import { rewritePermission } from './rewrite-permission.ts'
import {
  rewriteColumns,
  rewriteConfiguration,
  rewriteManual,
  rewriteMapping,
  rewriteRemote,
  rewriteUsing,
} from './rewrite-references.ts'

/**
 * An object's value with the new names of tables and columns. `own`: the table it is, or hangs below, if that is one of
 * the source whose names changed.
 */
export function rewriteObject(
  { type, value }: MetadataObject,
  own: TableId | null,
  names: DatabaseNames,
  lookup: Lookup,
): JsonObject {
  switch (type) {
    case 'remote_relationship':
    case 'remote_schema_remote_relationship':
      return { ...value, definition: rewriteRemote(value.definition, own, names) }
    case 'custom_types':
      return { ...value, objects: mapList(value.objects, (object) => rewriteObjectType(object, names)) }
    case 'native_query':
      return own === null ? value : rewriteNativeQuery(value, names)
    default:
      return own === null ? value : rewriteOwn(type, value, own, names, lookup)
  }
}

function rewriteOwn(
  type: MetadataObject['type'],
  value: JsonObject,
  own: TableId,
  names: DatabaseNames,
  lookup: Lookup,
): JsonObject {
  switch (type) {
    case 'table':
      return {
        ...value,
        ...(isRecord(value.table) && { table: names.table(value.table) }),
        ...(value.configuration && { configuration: rewriteConfiguration(value.configuration, own, names) }),
      }
    case 'object_relation':
    case 'array_relation':
      return { ...value, using: rewriteUsing(value.using, own, names) }
    case 'insert_permission':
    case 'select_permission':
    case 'update_permission':
    case 'delete_permission':
      return rewritePermission(value, own, names, lookup)
    case 'event_trigger':
      return { ...value, definition: rewriteTrigger(value.definition, own, names) }
    default:
      return value
  }
}

function rewriteTrigger(definition: Json | undefined, own: TableId, names: DatabaseNames): Json {
  if (!isRecord(definition)) return definition ?? {}
  return Object.fromEntries(
    Object.entries(definition).map(([operation, columns]) => [
      operation,
      isRecord(columns)
        ? Object.fromEntries(Object.entries(columns).map(([key, list]) => [key, rewriteColumns(list, own, names)]))
        : columns,
    ]),
  )
}

function rewriteNativeQuery(value: JsonObject, names: DatabaseNames): JsonObject {
  const rewrite = (relationship: JsonObject): JsonObject => {
    const { using } = relationship
    if (!isRecord(using) || !isRecord(using.manual_configuration)) return relationship
    const manual = rewriteManual(using.manual_configuration, null, names)
    return { ...relationship, using: { ...using, manual_configuration: manual } }
  }
  const lists = (['object_relationships', 'array_relationships'] as const).filter((key) => value[key] !== undefined)
  return { ...value, ...Object.fromEntries(lists.map((key) => [key, mapList(value[key], rewrite)])) }
}

function rewriteObjectType(object: JsonObject, names: DatabaseNames): JsonObject {
  if (object.relationships === undefined) return object
  const rewrite = (relationship: JsonObject): JsonObject => {
    if (relationship.source !== names.source || !isRecord(relationship.remote_table)) return relationship
    const target = names.idOf(relationship.remote_table)
    return {
      ...relationship,
      remote_table: names.table(relationship.remote_table),
      field_mapping: rewriteMapping(relationship.field_mapping, null, target, names),
    }
  }
  return { ...object, relationships: mapList(object.relationships, rewrite) }
}

const mapList = (list: Json | undefined, map: (item: JsonObject) => JsonObject): Json =>
  Array.isArray(list) ? list.map((item: Json) => (isRecord(item) ? map(item) : item)) : (list ?? [])

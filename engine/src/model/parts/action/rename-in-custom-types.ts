import { isRecord, type JsonObject } from '@svc/schema'
import type { DatabaseNames } from '../../rename/database-names.ts'
import { mapList } from '../../rename/map-list.ts'
import { rewriteMapping } from '../../rename/rewrite-references.ts'

/** The tables that relationships of object types lead to. */
export const renameInCustomTypes = (value: JsonObject, names: DatabaseNames): JsonObject =>
  value.objects === undefined
    ? value
    : { ...value, objects: mapList(value.objects, (object) => rewriteObjectType(object, names)) }

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

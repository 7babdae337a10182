import { isRecord, type JsonObject } from '@svc/schema'
import type { DatabaseNames } from '../../rename/database-names.ts'
import { mapList } from '../../rename/map-list.ts'
import { rewriteManual } from '../../rename/rewrite-references.ts'

/** The tables that its relationships lead to; its own SQL is not this stack's to rewrite. */
export function renameInNativeQuery(value: JsonObject, names: DatabaseNames): JsonObject {
  const rewrite = (relationship: JsonObject): JsonObject => {
    const { using } = relationship
    if (!isRecord(using) || !isRecord(using.manual_configuration)) return relationship
    const manual = rewriteManual(using.manual_configuration, null, names)
    return { ...relationship, using: { ...using, manual_configuration: manual } }
  }
  const lists = (['object_relationships', 'array_relationships'] as const).filter((key) => value[key] !== undefined)
  return { ...value, ...Object.fromEntries(lists.map((key) => [key, mapList(value[key], rewrite)])) }
}

import {
  type Children,
  childTypesOf,
  isRecord,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  type ObjectType,
  objectKinds,
  ownKeyOf,
  recordsIn,
} from '@svc/schema'
import { Map as ImmutableMap } from 'immutable'

/** The objects of an export, which the engine has in canonical form: nothing is checked. */
export const documentOf = (metadata: JsonObject): MetadataDocument => ({ children: childrenIn(metadata, null) })

function childrenIn(json: JsonObject, parent: ObjectType | null): Children {
  return Object.fromEntries(
    childTypesOf(parent).flatMap((type) => {
      const objects = itemsOf(json, type).map((item) => objectOf(type, item))
      const own = ImmutableMap(objects.map((object) => [ownKeyOf(type, object.value), object] as const))
      return objects.length === 0 ? [] : [[type, own] as const]
    }),
  )
}

function itemsOf(json: JsonObject, type: ObjectType): readonly JsonObject[] {
  const { list, singleton } = objectKinds[type]
  const found = json[list] ?? null
  if (singleton) return isRecord(found) ? [found] : []
  const items = recordsIn(found)
  if (type !== 'remote_schema_remote_relationship') return items
  // exported by type, and objects of their own
  return items.flatMap(({ type_name = null, relationships = null }) =>
    recordsIn(relationships).map((one) => ({ type_name, ...one })),
  )
}

function objectOf(type: ObjectType, json: JsonObject): MetadataObject {
  const lists = new Set(childTypesOf(type).map((below) => objectKinds[below].list))
  const value = Object.fromEntries(Object.entries(json).filter(([key]) => !lists.has(key)))
  return { type, value, children: childrenIn(json, type) }
}

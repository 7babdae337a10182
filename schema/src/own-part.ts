import { equalJson } from './equal-json.ts'
import type { JsonObject } from './json.ts'
import { childTypesOf, type ObjectType, objectKinds } from './object-kinds.ts'

/** What of an object's JSON is its own, without its lists of children. */
export function ownPart(type: ObjectType, json: JsonObject): JsonObject {
  const below = listsBelow(type)
  return below.size === 0 ? json : Object.fromEntries(Object.entries(json).filter(([key]) => !below.has(key)))
}

/** Whether a value is what a JSON object has without its lists of children. */
export function isOwnPart(type: ObjectType, json: JsonObject, value: JsonObject): boolean {
  const lists = listsBelow(type)
  if (lists.size === 0) return equalJson(json, value)
  const keys = Object.keys(json).filter((key) => json[key] !== undefined && !lists.has(key))
  return (
    keys.length === Object.keys(value).length &&
    keys.every((key) => Object.hasOwn(value, key) && equalJson(json[key], value[key]))
  )
}

const lists = new Map<ObjectType, ReadonlySet<string>>()

function listsBelow(type: ObjectType): ReadonlySet<string> {
  const below = lists.get(type) ?? new Set(childTypesOf(type).map((child) => objectKinds[child].list))
  lists.set(type, below)
  return below
}

/** In addition to the lists of what is inside. */
export const tableKeys: ReadonlySet<string> = new Set([
  'table',
  'is_enum',
  'configuration',
  'apollo_federation_config',
  'logical_model',
])
export const sourceKeys: ReadonlySet<string> = new Set([
  'name',
  'kind',
  'configuration',
  'query_tags',
  'customization',
  'health_check',
])

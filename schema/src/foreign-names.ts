import type { NameStyle } from './backend-kind.ts'
import type { Json, JsonObject } from './json.ts'
import type { ObjectType } from './object-kinds.ts'
import { resolveForeignName } from './objects/qualified-name.ts'
import { isRecord } from './shape.ts'

/**
 * Objects that name a table of another source spell it as that source does, which only the whole document knows:
 * a text becomes `{name, schema}` here.
 */
export function resolveForeignNames(
  type: ObjectType,
  value: JsonObject,
  styleOf: (source: string) => NameStyle,
): JsonObject {
  switch (type) {
    case 'remote_relationship':
    case 'remote_schema_remote_relationship': {
      const { definition } = value
      if (!isRecord(definition) || !isRecord(definition.to_source)) return value
      const target = resolve(definition.to_source, 'table', styleOf)
      return { ...value, definition: { ...definition, to_source: target } }
    }
    case 'custom_types': {
      if (!Array.isArray(value.objects)) return value
      return { ...value, objects: value.objects.map((object: Json) => resolveRelationships(object, styleOf)) }
    }
    default:
      return value
  }
}

function resolveRelationships(object: Json, styleOf: (source: string) => NameStyle): Json {
  if (!isRecord(object) || !Array.isArray(object.relationships)) return object
  const relationships = object.relationships.map((one: Json) =>
    isRecord(one) ? resolve(one, 'remote_table', styleOf) : one,
  )
  return { ...object, relationships }
}

function resolve(value: JsonObject, key: string, styleOf: (source: string) => NameStyle): JsonObject {
  const name = value[key]
  if (name === undefined || typeof value.source !== 'string') return value
  return { ...value, [key]: resolveForeignName(name, styleOf(value.source)) }
}

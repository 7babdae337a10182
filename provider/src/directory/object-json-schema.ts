import {
  childTypesOf,
  closedJsonSchemaOf,
  type JsonObject,
  kindsOfStyle,
  type NameStyle,
  type ObjectType,
  objectKinds,
  objectSchemas,
  recordOf,
  sourceSchema,
  textsIn,
} from '@svc/schema'

/** The JSON Schema of an object as files have it, with the objects inside it. */
export function objectSchema(type: ObjectType, style: NameStyle): JsonObject {
  const [kind = 'agent'] = kindsOfStyle(style)
  const own = closedJsonSchemaOf(type === 'source' ? sourceSchema({ kind }) : objectSchemas(style)[type])
  const children = childTypesOf(type).map((child) => [objectKinds[child].list, childrenSchema(child, style)])
  return { ...own, properties: { ...propertiesOf(own), ...Object.fromEntries(children) } }
}

function childrenSchema(type: ObjectType, style: NameStyle): JsonObject {
  const item = objectSchema(type, style)
  if (type !== 'remote_schema_remote_relationship') return listOf(orIncluded(item))
  const { type_name = {}, ...others } = propertiesOf(item)
  const relationship = { ...item, properties: others, required: requiredOf(item).filter((key) => key !== 'type_name') }
  return listOf(
    closed({ type_name, relationships: { type: 'array', items: relationship } }, ['type_name', 'relationships']),
  )
}

/** Of a value that stands in another file. */
export const include: JsonObject = { type: 'string', pattern: '^!include\\s+\\S' }

/** No `anyOf`: that would add to each mistake that it is no text either. */
export const orIncluded = (schema: JsonObject): JsonObject => ({
  ...ifThen({ type: 'string' }, include),
  else: schema,
})

/**
 * By entries: an object with a property `then` is a promise to a caller that awaits it, which no one does with a
 * schema.
 */
export const ifThen = (condition: JsonObject, schema: JsonObject): JsonObject =>
  Object.fromEntries([
    ['if', condition],
    ['then', schema],
  ])

export const listOf = (items: JsonObject): JsonObject => orIncluded({ type: ['array', 'null'], items })

export const closed = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
})

export const propertiesOf = ({ properties }: JsonObject): JsonObject => recordOf(properties)

const requiredOf = ({ required }: JsonObject): readonly string[] => textsIn(required)

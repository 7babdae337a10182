import { closedJsonSchemaOf, isRecord, type Json, type JsonObject, objectSchemas } from '@svc/schema'
import { closed, listOf, objectSchema, orIncluded, propertiesOf } from './object-json-schema.ts'
import { customTypeKinds } from './print-actions.ts'

/** Of actions.yaml: what actions.graphql says of an action or a type need not stand there. */
export function actionsFileSchema(): JsonObject {
  const action = objectSchema('action', 'public')
  const { definition = {} } = propertiesOf(action)
  const rest = isRecord(definition) ? { ...definition, required: ['handler'] } : {}
  const types = closedJsonSchemaOf(objectSchemas('public').custom_types)
  const lists = customTypeKinds.map((kind) => {
    const known = propertiesOf(types)[kind]
    const list = isRecord(known) ? withNameOnly(known) : {}
    return [kind, list]
  })
  return closed(
    {
      actions: listOf(orIncluded({ ...action, properties: { ...propertiesOf(action), definition: rest } })),
      custom_types: orIncluded({ ...types, properties: Object.fromEntries(lists) }),
    },
    [],
  )
}

/** Of a list, or of nothing: its objects need no more than a name. */
function withNameOnly(schema: JsonObject): JsonObject {
  if (isRecord(schema.items)) return { ...schema, items: { ...schema.items, required: ['name'] } }
  if (!Array.isArray(schema.anyOf)) return schema
  return { ...schema, anyOf: schema.anyOf.map((one: Json) => (isRecord(one) ? withNameOnly(one) : one)) }
}

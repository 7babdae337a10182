import { type Attributes, type AttributeType, isValues, type Value, type Values } from '../resources/index.ts'

/** Every attribute by name, null where nothing is given, defaults filled in, also below. What is unknown stays so. */
export function fillDefaults(attributes: Attributes, values: Values): Values {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const given = values[name] ?? null
      return [name, given === null ? (attribute.default ?? null) : fillBelow(attribute.type, given)]
    }),
  )
}

function fillBelow(type: AttributeType, value: Value): Value {
  switch (type.kind) {
    case 'string':
    case 'boolean':
    case 'integer':
    case 'number':
    case 'json':
    case 'set':
      return value
    case 'list':
      return Array.isArray(value) ? value.map((item: Value) => fillBelow(type.of, item)) : value
    case 'map':
      return isValues(value)
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillBelow(type.of, item)]))
        : value
    case 'object':
      return isValues(value) ? fillDefaults(type.attributes, value) : value
  }
}

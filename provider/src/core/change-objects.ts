import { type Attributes, type AttributeType, isValues, type Value, type Values } from '../resources/index.ts'

/** Returns a value with each object in it changed that has attributes of its own. */
export function changeObjects(
  type: AttributeType,
  value: Value,
  change: (attributes: Attributes, values: Values) => Values,
): Value {
  switch (type.kind) {
    case 'string':
    case 'boolean':
    case 'integer':
    case 'number':
    case 'json':
    case 'set':
      return value
    case 'list':
      return Array.isArray(value) ? value.map((item: Value) => changeObjects(type.of, item, change)) : value
    case 'map':
      return isValues(value)
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, changeObjects(type.of, item, change)]))
        : value
    case 'object':
      return isValues(value) ? change(type.attributes, value) : value
  }
}

import {
  type Attributes,
  type AttributeType,
  type CommonKind,
  isValues,
  type Value,
  type Values,
  withoutDefaultBeside,
} from '../resources/index.ts'

/**
 * Returns every attribute by name, null where it is not set, defaults filled in, also in nested objects. What is
 * unknown remains so.
 */
export function fillDefaults(attributes: Attributes, values: Values): Values {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const given = values[name] ?? null
      if (given !== null) return [name, filledBelow(attribute.type, given)]
      return [name, withoutDefaultBeside(attribute, (sibling) => values[sibling]).default ?? null]
    }),
  )
}

function filledBelow(type: AttributeType, value: Value): Value {
  if (type.kind === 'list' && Array.isArray(value)) return value.map((item: Value) => filledBelow(type.of, item))
  if (!isValues(value)) return value
  if (type.kind === 'object') return fillDefaults(type.attributes, value)
  if (type.kind !== 'map') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledBelow(type.of, item)]))
}

/** Returns the attributes that name an object, defaults filled in. */
export function identityInputs({ attributes, identityPaths }: CommonKind, values: Values): Values {
  const heads = new Set(identityPaths.map(([head]) => head))
  const named = Object.fromEntries(Object.entries(attributes).filter(([name]) => heads.has(name)))
  return fillDefaults(named, values)
}

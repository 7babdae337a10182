import { type Attributes, type CommonKind, mapObjects, type Values, withEffectiveDefault } from '../resources/index.ts'

/**
 * Returns every attribute by name, null where it is not set, defaults filled in, also in nested objects. What is
 * unknown remains so.
 */
export function fillDefaults(attributes: Attributes, values: Values): Values {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const given = values[name] ?? null
      if (given !== null) return [name, mapObjects(attribute.type, given, fillDefaults)]
      return [name, withEffectiveDefault(attribute, (sibling) => values[sibling]).default ?? null]
    }),
  )
}

/** Returns the attributes that name an object, defaults filled in. */
export function identityInputs({ attributes, identityPaths }: CommonKind, values: Values): Values {
  const heads = new Set(identityPaths.map(([head]) => head))
  const named = Object.fromEntries(Object.entries(attributes).filter(([name]) => heads.has(name)))
  return fillDefaults(named, values)
}

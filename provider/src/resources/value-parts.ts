import type { Attribute, Attributes, AttributeType } from './attribute.ts'
import { isValues, type Path, type Value, type Values } from './value.ts'

/** What is in lists, sets and maps of a type, however deep; the type itself where it is none of these. */
export const innermost = (type: AttributeType): AttributeType => ('of' in type ? innermost(type.of) : type)

/** The type of what stands behind one step of a path. */
export function typeInside(type: AttributeType, step: string | number): AttributeType | undefined {
  if (type.kind === 'object') return Object.hasOwn(type.attributes, step) ? type.attributes[step]?.type : undefined
  return 'of' in type ? type.of : undefined
}

/** Something that lies directly in a value: an attribute of an object, or an item of a list, a set or a map. */
export interface ValuePart {
  readonly step: string | number
  readonly type: AttributeType
  /** Null where there is no value. */
  readonly value: Value
  /** Null: an item. */
  readonly attribute: Attribute | null
}

/** The parts of a value; none of one that is not of its type. `nameOf`: what the value calls attributes. */
export function partsOf(
  type: AttributeType,
  value: Value,
  nameOf: (attribute: string) => string = (name) => name,
): readonly ValuePart[] {
  if ((type.kind === 'list' || type.kind === 'set') && Array.isArray(value))
    return value.map((item: Value, step) => ({ step, type: type.of, value: item, attribute: null }))
  if (type.kind === 'map' && isValues(value))
    return Object.entries(value).map(([step, item]) => ({ step, type: type.of, value: item, attribute: null }))
  if (type.kind !== 'object' || !isValues(value)) return []
  return Object.entries(type.attributes).map(([name, attribute]) => {
    const step = nameOf(name)
    return { step, type: attribute.type, value: value[step] ?? null, attribute }
  })
}

/** What a change makes of the objects with attributes that stand nearest in a value; all else is as it was. */
export function mapObjects(
  type: AttributeType,
  value: Value,
  change: (attributes: Attributes, object: Values, path: Path) => Values,
  path: Path = [],
): Value {
  if (type.kind === 'object') return isValues(value) ? change(type.attributes, value, path) : value
  if (type.kind === 'map' && isValues(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, mapObjects(type.of, item, change, [...path, key])]),
    )
  if ((type.kind === 'list' || type.kind === 'set') && Array.isArray(value))
    return value.map((item: Value, i) => mapObjects(type.of, item, change, [...path, i]))
  return value
}

/** What stands at a path of a value; null: nothing. */
export const valueAt = (value: Value, path: Path): Value =>
  path.reduce<Value>((at, step) => {
    if (Array.isArray(at)) return (at as readonly Value[])[Number(step)] ?? null
    return isValues(at) && Object.hasOwn(at, step) ? (at[step] ?? null) : null
  }, value)

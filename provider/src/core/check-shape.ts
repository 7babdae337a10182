import {
  type Attributes,
  type AttributeType,
  hasUnknown,
  isValues,
  type Path,
  unknown,
  type Value,
  type Values,
} from '../resources/index.ts'
import { errorAt } from './diagnostic.ts'
import type { Diagnostic } from './provider.ts'

/** Returns errors for values that do not have the types of their attributes; what is not known yet is not checked. */
export const checkShape = (attributes: Attributes, values: Values): readonly Diagnostic[] =>
  wrongInObject(attributes, values, []).map(({ path, message }) => errorAt(attributes, path, message))

interface Wrong {
  readonly path: Path
  readonly message: string
}

/** Tools pass null for what is not declared. */
function wrongInObject(attributes: Attributes, values: Values, path: Path): readonly Wrong[] {
  const declared = Object.entries(attributes).flatMap(([name, { type, presence }]): readonly Wrong[] => {
    const value = Object.hasOwn(values, name) ? (values[name] ?? null) : null
    if (value !== null) return wrongIn(type, value, [...path, name])
    return presence === 'required' ? [{ path: [...path, name], message: 'is required' }] : []
  })
  const strange = Object.keys(values).filter((name) => values[name] !== null && !Object.hasOwn(attributes, name))
  return [...declared, ...strange.map((name) => ({ path: [...path, name], message: 'there is no such attribute' }))]
}

function wrongIn(type: AttributeType, value: Value, path: Path): readonly Wrong[] {
  if (value === unknown) return []
  const wrong = (message: string): readonly Wrong[] => (hasUnknown(value) ? [] : [{ path, message }])
  switch (type.kind) {
    case 'string':
      if (typeof value !== 'string') return wrong('must be a text')
      if (type.choices && !type.choices.includes(value)) return wrong(`must be one of ${type.choices.join(', ')}`)
      return type.refuses && value === '' ? wrong('must not be empty') : []
    case 'boolean':
      return typeof value === 'boolean' ? [] : wrong('must be true or false')
    case 'integer':
      if (!Number.isSafeInteger(value)) return wrong('must be a whole number')
      return type.refuses === 'negative' && Number(value) < 0 ? wrong('must not be negative') : []
    case 'number':
      if (!Number.isFinite(value)) return wrong('must be a number')
      return type.refuses === 'not-positive' && Number(value) <= 0 ? wrong('must be above 0') : []
    case 'json':
      return []
    case 'list':
    case 'set':
      if (!Array.isArray(value)) return wrong('must be a list')
      if (type.refuses && value.length === 0) return wrong('must not be empty')
      return (value as readonly Value[]).flatMap((item, i) => wrongIn(type.of, item, [...path, i]))
    case 'map':
      if (!isValues(value)) return wrong('must be a map')
      return Object.entries(value).flatMap(([key, one]) => wrongIn(type.of, one, [...path, key]))
    case 'object':
      return isValues(value) ? wrongInObject(type.attributes, value, path) : wrong('must be an object')
  }
}

import { type Attributes, catalogue, isValues, type ResourceKind, type Value } from '../resources/index.ts'
import { errorAt } from './diagnostic.ts'
import type { Diagnostic } from './provider.ts'

/** Keys of a map by kind that are no kind. */
export function unknownKinds(
  attributes: Attributes,
  managed: Value,
  kindName: (kind: ResourceKind) => string,
): readonly Diagnostic[] {
  const known = catalogue.map(kindName)
  const keys = isValues(managed) ? Object.keys(managed) : []
  return keys
    .filter((key) => !known.includes(key))
    .map((key) => errorAt(attributes, ['managed', key], 'there is no such kind', `There are ${known.join(', ')}.`))
}

/** A text that is no kind. */
export function unknownKind(
  attributes: Attributes,
  kind: Value,
  kindName: (kind: ResourceKind) => string,
): readonly Diagnostic[] {
  const known = catalogue.map(kindName)
  if (typeof kind !== 'string' || known.includes(kind)) return []
  return [errorAt(attributes, ['kind'], 'there is no such kind', `There are ${known.join(', ')}.`)]
}

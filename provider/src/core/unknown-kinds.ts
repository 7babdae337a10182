import { type Attributes, catalogue, type Path, type ResourceKind, type Value } from '../resources/index.ts'
import { errorAt } from './diagnostic.ts'
import type { Diagnostic } from './provider.ts'

/** Which of these are texts that are no kind, each with where it stands. */
export function unknownKinds(
  attributes: Attributes,
  given: readonly (readonly [path: Path, kind: Value])[],
  kindName: (kind: ResourceKind) => string,
): readonly Diagnostic[] {
  const known = catalogue.map(kindName)
  return given
    .filter(([, kind]) => typeof kind === 'string' && !known.includes(kind))
    .map(([path]) => errorAt(attributes, path, 'there is no such kind', `There are ${known.join(', ')}.`))
}

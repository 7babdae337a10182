import {
  address,
  childTypesOf,
  type JsonObject,
  kindOfSource,
  type MetadataDocument,
  type MetadataObject,
  type ObjectAddress,
  type ObjectType,
  objectKinds,
  ownKeyOf,
  sortedChildren,
} from '@svc/schema'

export interface PlacedObject {
  readonly object: MetadataObject
  readonly at: ObjectAddress
  /** Names the objects above it as operations do: `{ source, table }`. */
  readonly place: JsonObject
  /** The kind of the source that it is or belongs to; null for an object of none. */
  readonly sourceKind: string | null
}

/** Every object of a document, parents first, in the order of the export. */
export function* walkObjects(document: MetadataDocument): Generator<PlacedObject> {
  yield* walkBelow(document, null, null, {}, null)
}

function* walkBelow(
  node: MetadataDocument | MetadataObject,
  type: ObjectType | null,
  above: ObjectAddress | null,
  place: JsonObject,
  sourceKind: string | null,
): Generator<PlacedObject> {
  for (const below of childTypesOf(type))
    for (const object of sortedChildren(node, below)) {
      const at = address(below, ownKeyOf(below, object.value), above)
      const kind = below === 'source' ? kindOfSource(object.value) : sourceKind
      yield { object, at, place, sourceKind: kind }
      yield* walkBelow(object, below, at, placeIn(object, place), kind)
    }
}

/** How operations name the parents of an object, for the objects inside it. */
export const placeIn = ({ type, value }: MetadataObject, place: JsonObject): JsonObject => ({
  ...place,
  [type]: Object.values(objectKinds[type].key(value))[0] ?? null,
})

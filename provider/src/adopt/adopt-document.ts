import {
  addressText,
  equalJson,
  type Json,
  keyedObject,
  type MetadataDocument,
  objectKinds,
  objectName,
} from '@svc/schema'
import { type PlacedObject, targetsOf, walkObjects, wholeOf } from '../core/index.ts'
import {
  identityOf,
  importId,
  kindOfType,
  type Path,
  partKindsOf,
  type Reference,
  type ResourceKind,
  rankOf,
  type Value,
  type Values,
  valueAt,
  valuesOf,
} from '../resources/index.ts'
import type { AdoptedResource, Adoption } from './adopted-resource.ts'
import { expressValues, pathKey } from './express-value.ts'
import type { Expression } from './expression.ts'

/** An object that a kind of resource stands for. */
interface Adoptable {
  readonly kind: ResourceKind
  readonly placed: PlacedObject
  readonly address: string
  readonly identity: readonly string[]
  readonly values: Values
}

/** An attribute of one object that names another, or (without an output) something else that it needs. */
interface Naming {
  readonly attribute: Path
  readonly to: Adoptable
  /** The attribute of the other one with the same value. */
  readonly output: string | null
}

/**
 * Returns every object of a live document as a resource, or only those whose address is wanted, parts of objects too:
 * what else they name, they name by its plain name. Pure; secrets become variables.
 */
export function adoptDocument(
  document: MetadataDocument,
  isWanted: (address: string) => boolean = () => true,
): Adoption {
  const objects = [...walkObjects(document)]
  const adoptable = new Map(
    objects.flatMap((placed) => {
      if (isForeign(placed)) return []
      const whole = adoptableOf(placed)
      const found = whole && isWanted(whole.address) ? [whole] : adoptableParts(placed)
      return found.flatMap((one) => (isWanted(one.address) ? [[one.address, one] as const] : []))
    }),
  )
  const meant = targetFinder(document)
  const namings = new Map([...adoptable.values()].map((one) => [one, namingsOf(one, adoptable, meant)]))
  const order = inOrderOfMaking(
    [...adoptable.values()].sort((a, b) => rankOf(a.kind.type) - rankOf(b.kind.type)),
    (one) => (namings.get(one) ?? []).map(({ to }) => to),
  )
  const placeInOrder = new Map(order.map((one, i) => [one, i]))
  const isBefore = (a: Adoptable, b: Adoptable) => (placeInOrder.get(a) ?? 0) < (placeInOrder.get(b) ?? 0)
  return {
    resources: order.map((one) =>
      adopted(
        one,
        // of a circle one side has to name the other by its plain name
        (namings.get(one) ?? []).filter(({ to }) => isBefore(to, one)),
      ),
    ),
    left: objects
      .filter(({ at }) => !adoptable.has(addressText(at)) && partKindsOf(at.type).length === 0)
      // an object is left out with what is inside it
      .filter(({ at }) => at.parent === null || adoptable.has(addressText(at.parent)))
      .map(({ at }) => (objectKinds[at.type].singleton ? at.type : objectName(keyedObject(document, at)).name)),
  }
}

/** It is, or is in, a source of a kind that has no resource. */
const isForeign = ({ sourceKind }: PlacedObject) => sourceKind !== null && !kindOfType('source', sourceKind)

function adoptableOf(placed: PlacedObject): Adoptable | null {
  const kind = kindOfType(placed.object.type, placed.sourceKind)
  if (!kind) return null
  const values = valuesOf(kind, placed.object.value, placed.place, 'value')
  const identity = identityOf(kind, values)
  return identity && { kind, placed, address: addressText(placed.at), identity, values }
}

/** The parts of an object of which the whole is not wanted, or which no kind stands for as a whole. */
function adoptableParts(placed: PlacedObject): readonly Adoptable[] {
  const { at, object, place } = placed
  return partKindsOf(at.type).flatMap((kind) =>
    (kind.part?.parts(object.value) ?? []).flatMap((value): readonly Adoptable[] => {
      const values = valuesOf(kind, value, place, 'value')
      const identity = identityOf(kind, values)
      const address = addressText({ ...at, own: kind.part?.key(value) ?? '' })
      return identity ? [{ kind, placed: { ...placed, object: { ...object, value } }, address, identity, values }] : []
    }),
  )
}

/** The addresses of what a reference means. */
type Meant = (reference: Reference) => readonly string[]

/** Of relationships below others only the name is known: more than this many of one name say nothing. */
const MOST_ALIKE = 8

function targetFinder(document: MetadataDocument): Meant {
  const byName = new Map<string, readonly string[]>()
  const find: Meant = (reference) => [
    ...new Set(targetsOf(document, reference).flatMap((at) => [addressText(at), addressText(wholeOf(at))])),
  ]
  return (reference) => {
    if (reference.to !== 'relationship' || reference.table !== null) return find(reference)
    const key = JSON.stringify([reference.source, reference.name])
    const known = byName.get(key) ?? find(reference)
    byName.set(key, known)
    return known.length > MOST_ALIKE ? [] : known
  }
}

function namingsOf(one: Adoptable, adoptable: ReadonlyMap<string, Adoptable>, meant: Meant): readonly Naming[] {
  const naming = (to: Adoptable | undefined, attribute: Path): readonly Naming[] =>
    to === undefined || to === one ? [] : [{ attribute, to, output: outputLike(to, valueAt(one.values, attribute)) }]
  const above: Naming[] = []
  for (let at = one.placed.at.parent; at; at = at.parent)
    if (one.kind.fields.some(({ name }) => name === at?.type))
      above.push(...naming(adoptable.get(addressText(at)), [at.type]))
  const references = one.kind.dependsOn?.(one.values, one.placed.object.value) ?? []
  return [
    ...above,
    ...references.flatMap((reference) =>
      meant(reference).flatMap((address) => naming(adoptable.get(address), reference.attribute)),
    ),
  ]
}

/** The attribute by which a resource is named, if it has this value. */
function outputLike({ kind, values, placed }: Adoptable, value: Value): string | null {
  const keys = Object.keys(objectKinds[kind.type].key(placed.object.value))
  const field = kind.fields.find(({ at }) => at?.length === 1 && keys.includes(at[0] ?? ''))
  return field && value !== null && equalJson(values[field.name] as Json, value as Json) ? field.name : null
}

/** Orders objects so that each comes after what it needs; where they need each other, in the order of the list. */
function inOrderOfMaking<T>(items: readonly T[], needs: (item: T) => readonly T[]): readonly T[] {
  const ordered = new Set<T>()
  const entered = new Set<T>()
  const enter = (item: T): void => {
    if (entered.has(item)) return
    entered.add(item)
    for (const needed of needs(item)) enter(needed)
    ordered.add(item)
  }
  for (const item of items) enter(item)
  return [...ordered]
}

function adopted({ kind, address, identity, values }: Adoptable, namings: readonly Naming[]): AdoptedResource {
  const outputs = new Map(
    namings.flatMap(({ attribute, to, output }): readonly (readonly [string, Expression])[] =>
      output === null ? [] : [[pathKey(attribute), { kind: 'output', of: to.address, attribute: output }]],
    ),
  )
  const named = new Set([...outputs.values()].map((output) => (output.kind === 'output' ? output.of : '')))
  const after = namings.map(({ to }) => to.address).filter((other) => !named.has(other))
  return {
    kind,
    address,
    identity,
    id: importId(identity),
    inputs: expressValues(kind.attributes, values, address, outputs),
    after: [...new Set(after)],
  }
}

import {
  address,
  addressText,
  childTypesOf,
  equalJson,
  isRecord,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  type ObjectAddress,
  objectKinds,
  ownKeyOf,
  sortedChildren,
} from '@svc/schema'
import {
  kindOfType,
  type Operation,
  type Reference,
  type ResourceKind,
  rankOf,
  type Values,
} from '../resources/index.ts'
import { findObject, putObject, setValue, withoutObject } from './document-objects.ts'
import { given } from './references.ts'
import {
  addressIn,
  type ReferringObject,
  type Renaming,
  referringObjects,
  sourceNextTo,
  withRenamedReferences,
} from './referring-objects.ts'
import { placeIn } from './walk-objects.ts'
import type { WantedObject } from './wanted-object.ts'

/** How an object gets another identity in one atomic step. */
export interface Move {
  readonly operations: readonly Operation[]
  readonly outcome: (document: MetadataDocument) => MetadataDocument
  /** Whether the engine changes further objects of its own accord. */
  readonly rewrites: boolean
  /** The objects inside it, which move with it. */
  readonly object: MetadataObject
  /** What names it and is changed with it. */
  readonly referring: readonly ReferringObject[]
}

/**
 * Moves an object to another identity together with the objects inside it; with `names` referring objects get the new
 * name too. One that has an operation for a new name is renamed, any other dropped and made. Null: no operation can say
 * it.
 */
export function moveOf(
  document: MetadataDocument,
  live: MetadataObject,
  old: WantedObject,
  wanted: WantedObject,
  names: boolean,
): Move | null {
  const { kind } = wanted
  const now = wanted.valueOver(live.value)
  const places = { before: old.place, after: wanted.place }
  const renaming: Renaming = { kind, from: old.address, old: live.value, to: wanted.address, now, places }
  const inPlace = renameInPlace(renaming, old, wanted)
  const children = inPlace ? { operations: [], object: { ...live, value: now } } : moveBelow(live, wanted, renaming)
  const own = inPlace ?? dropAndMake(live, old, wanted, now)
  if (!own || !children) return null
  const outcome = (before: MetadataDocument): MetadataDocument => {
    const without = withoutObject(before, old.address)
    const { parent } = wanted.address
    return parent && !findObject(without, parent) ? without : putObject(without, wanted.address, children.object)
  }
  const others = names ? referringObjects(document, outcome(document), renaming) : []
  const further = others.map(changeOf)
  if (further.some(({ after }) => after === null)) return null
  return {
    operations: [
      ...further.flatMap(({ before }) => before),
      ...own,
      ...children.operations,
      ...further.flatMap(({ after }) => after ?? []),
    ],
    outcome: (before) => others.reduce(putReferring, outcome(before)),
    rewrites: inPlace !== null,
    object: children.object,
    referring: others,
  }
}

/** By the kind's own operation for a new name, where nothing else of the identity changes. */
function renameInPlace({ kind, old, now, from, to }: Renaming, before: WantedObject, wanted: WantedObject) {
  if (!kind.rename || parentText(from) !== parentText(to)) return null
  const named = { ...old, ...objectKinds[kind.type].key(now) }
  const further = equalJson(named, now) ? [] : kind.update(named, now, wanted.place)
  return further && [...kind.rename(old, now, before.place), ...further]
}

const parentText = ({ parent }: ObjectAddress): string => (parent ? addressText(parent) : '')

function dropAndMake(live: MetadataObject, old: WantedObject, { kind, place }: WantedObject, now: JsonObject) {
  const made = kind.create(now, place)
  return made && [...kind.delete(live.value, old.place), ...made]
}

interface Moved {
  readonly operations: readonly Operation[]
  readonly object: MetadataObject
}

/**
 * The objects inside an object, made again in its new place, in the order of making. Null: no operation can make one of
 * them.
 */
function moveBelow(live: MetadataObject, { place }: WantedObject, renaming: Renaming): Moved | null {
  const object = renamedBelow({ ...live, value: renaming.now }, place, renaming)
  const made = placedBelow(object, place, renaming.kind.sourceKind).map(({ kind, value, place: within }) => ({
    rank: kind ? rankOf(kind.type) : 0,
    operations: kind ? kind.create(value, within) : null,
  }))
  if (made.some(({ operations }) => operations === null)) return null
  const operations = made.sort((a, b) => a.rank - b.rank).flatMap((one) => one.operations ?? [])
  return { operations, object }
}

/** With the new name where something in it names the moved object itself, such as a relationship of a table to itself. */
function renamedBelow(object: MetadataObject, place: JsonObject, renaming: Renaming): MetadataObject {
  const within = placeIn(object, place)
  let copy: MetadataObject = { ...object, children: {} }
  for (const child of childrenIn(object)) {
    const kind = kindOfType(child.type, renaming.kind.sourceKind)
    const value =
      (kind &&
        withRenamedReferences(kind, child, within, renaming, (one, values) => namesMoved(one, values, renaming))) ??
      child.value
    copy = putChild(copy, renamedBelow({ ...child, value }, within, renaming))
  }
  return copy
}

function placedBelow(object: MetadataObject, place: JsonObject, sourceKind: string | null): readonly Placed[] {
  const within = placeIn(object, place)
  return childrenIn(object).flatMap((child) => [
    { kind: kindOfType(child.type, sourceKind), value: child.value, place: within },
    ...placedBelow(child, within, sourceKind),
  ])
}

interface Placed {
  readonly kind: ResourceKind | undefined
  readonly value: JsonObject
  readonly place: JsonObject
}

const childrenIn = (object: MetadataObject): readonly MetadataObject[] =>
  childTypesOf(object.type).flatMap((type) => sortedChildren(object, type))

/** Whether something in an object names the object itself. */
function namesMoved(reference: Reference, values: Values, { old, kind, places }: Renaming): boolean {
  const key = objectKinds[kind.type].key(old)
  if (reference.to === 'top-level') return reference.type === kind.type && equalJson(reference.key, key)
  if (
    reference.to !== 'table' ||
    kind.type !== 'table' ||
    !equalJson(isRecord(reference.table) ? given(reference.table) : reference.table, Object.values(key)[0])
  )
    return false
  const source = sourceNextTo(values, reference)
  return source === undefined || source === places.before.source
}

/** An object with one more below it. */
const putChild = (object: MetadataObject, child: MetadataObject): MetadataObject => ({
  ...object,
  children: putObject({ children: object.children }, address(child.type, ownKeyOf(child.type, child.value)), child)
    .children,
})

/** What comes before the object has its new identity, and after it. */
function changeOf(one: ReferringObject) {
  const { kind, at, old, now, place } = one
  if (isGrant(one)) return { before: kind.delete(old, place), after: [] }
  return addressText(addressIn(kind, at, now)) === addressText(at)
    ? { before: [], after: kind.update(old, now, place) }
    : { before: kind.delete(old, place), after: kind.create(now, place) }
}

/** A permission that would become that of another role: its own resource has to say so. */
export const isGrant = ({ kind, at, now }: ReferringObject): boolean =>
  at.type === 'function_permission' && addressText(addressIn(kind, at, now)) !== addressText(at)

function putReferring(document: MetadataDocument, one: ReferringObject): MetadataDocument {
  const { kind, at, now } = one
  if (isGrant(one)) return withoutObject(document, at)
  const object = findObject(document, at)
  if (!object) return document
  const to = addressIn(kind, at, now)
  if (addressText(to) === addressText(at)) return setValue(document, at, now)
  return putObject(withoutObject(document, at), to, { ...object, value: now })
}

import {
  address,
  addressText,
  equalJson,
  isRawNumber,
  isRecord,
  type Json,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  namedTypeOf,
  type ObjectAddress,
  objectKinds,
  ownKeyOf,
  parseGraphqlType,
} from '@svc/schema'
import {
  declaredValue,
  InvalidValue,
  isValues,
  kindOfType,
  type Path,
  partKindsOf,
  type Reference,
  type ResourceKind,
  type Value,
  type Values,
  valueAt,
  valuesOf,
} from '../resources/index.ts'
import { given, isThere, referencesOf, targetsOf } from './references.ts'
import { type PlacedObject, walkObjects } from './walk-objects.ts'

/** An object that had another identity, or will have. */
export interface Renaming {
  readonly kind: ResourceKind
  readonly from: ObjectAddress
  /** Its value before, canonical. */
  readonly old: JsonObject
  readonly to: ObjectAddress
  readonly now: JsonObject
  /** Its parents before and after, as operations name them. */
  readonly places: { readonly before: JsonObject; readonly after: JsonObject }
}

/** An object that names another one which changes its identity: as it is, and as it has to be. */
export interface ReferringObject {
  readonly kind: ResourceKind
  readonly at: ObjectAddress
  readonly old: JsonObject
  readonly now: JsonObject
  readonly place: JsonObject
}

/**
 * Returns the objects that name another one, with its new name: by the references that each kind declares. Only what
 * would find nothing without it is changed. `after`: the document with the object under its new identity.
 */
export function referringObjects(
  document: MetadataDocument,
  after: MetadataDocument,
  renaming: Renaming,
): readonly ReferringObject[] {
  const from = addressText(renaming.from)
  return [...walkObjects(document)].flatMap(piecesOf).flatMap(({ kind, object, at, place }) => {
    if (isWithin(at, from)) return []
    const now = withRenamedReferences(kind, object, place, renaming, (reference) => {
      const leadsTo = targetsOf(document, reference).some((target) => addressText(target) === from)
      return leadsTo && (!isThere(after, reference) || uncertain.has(reference.to))
    })
    return now ? [{ kind, at, old: object.value, now, place }] : []
  })
}

interface Piece extends PlacedObject {
  readonly kind: ResourceKind
}

/** An object as its kind has it, or its parts: each is changed for itself, even if another stack declares it. */
function piecesOf(placed: PlacedObject): readonly Piece[] {
  const { object, at, sourceKind } = placed
  const parts = partKindsOf(at.type)
  const kind = kindOfType(at.type, sourceKind)
  if (parts.length === 0) return kind ? [{ ...placed, kind }] : []
  return parts.flatMap((one) =>
    (one.part?.parts(object.value) ?? []).map((value) => ({
      ...placed,
      kind: one,
      object: { ...object, value },
      at: { ...at, own: one.part?.key(value) ?? '' },
    })),
  )
}

/** Where only the engine knows which object is meant. */
const uncertain: ReadonlySet<Reference['to']> = new Set(['select-permission'])

/** Returns the value of an object with its references to another one changed; null: there are none. */
export function withRenamedReferences(
  kind: ResourceKind,
  { value }: Pick<MetadataObject, 'value'>,
  place: JsonObject,
  renaming: Renaming,
  isMeant: (reference: Reference, values: Values) => boolean,
): JsonObject | null {
  const values = valuesOf(kind, value, place, 'value')
  const above = objectKinds[kind.type].parent
  const meant = (kind.dependsOn ? referencesOf(kind, values, value, 'value') : []).filter(
    (reference) => isMeant(reference, values) && reference.attribute[0] !== above,
  )
  if (meant.length === 0) return null
  const changed = meant.reduce((before: Values, reference) => renamedAt(before, reference, renaming), values)
  try {
    const canonical = kind.canonical(declaredValue(kind, changed, 'value', value))
    return canonical.ok && !equalJson(canonical.value, value) ? canonical.value : null
  } catch (error) {
    if (error instanceof InvalidValue) return null
    throw error
  }
}

/** Returns the source that is named next to a table; undefined where it is that of the object itself. */
export const sourceNextTo = (values: Values, { attribute }: Reference): Value | undefined =>
  attribute.length < 2 ? undefined : (valueAt(values, [...attribute.slice(0, -1), 'source']) ?? undefined)

/** With the new name where a reference stands, and the new source where that stands next to it. */
function renamedAt(values: Values, reference: Reference, renaming: Renaming): Values {
  const { attribute } = reference
  const named = changedAt(values, attribute, (value) => renamed(value, renaming)) as Values
  const { before, after } = renaming.places
  if (reference.to !== 'table' || equalJson(before, after)) return named
  const isNamed = equalJson((sourceNextTo(values, reference) ?? null) as Json, before.source ?? null)
  return isNamed
    ? (changedAt(named, [...attribute.slice(0, -1), 'source'], () => (after.source ?? null) as Value) as Values)
    : named
}

function changedAt(value: Value, [step, ...rest]: Path, change: (value: Value) => Value): Value {
  if (step === undefined) return change(value)
  if (Array.isArray(value))
    return (value as readonly Value[]).map((one, i) => (i === Number(step) ? changedAt(one, rest, change) : one))
  if (!isValues(value)) return value
  const changed: Value = changedAt(value[step] ?? null, rest, change)
  return { ...value, ...Object.fromEntries<Value>([[String(step), changed]]) }
}

/** The same with one name in place of another: texts, `{ schema, name }`, types of GraphQL. */
function renamed(value: Value, { kind, old, now }: Renaming): Value {
  const [before, after] = [nameOf(kind, old), nameOf(kind, now)]
  const walk = (one: Value): Value => {
    if (isSameName(one as Json, before)) return after as Value
    if (kind.part && typeof one === 'string' && namesType(one, before))
      return one.replace(String(before), String(after))
    if (Array.isArray(one)) return one.map((item: Value) => walk(item))
    if (typeof one !== 'object' || one === null || isRawNumber(one)) return one
    return Object.fromEntries(Object.entries(one).map(([key, item]) => [key, walk(item)]))
  }
  return walk(value)
}

const nameOf = ({ type, part }: ResourceKind, value: JsonObject): Json =>
  part ? part.key(value) : (Object.values(objectKinds[type].key(value))[0] ?? null)

/** `[Item!]!` names Item. */
function namesType(text: string, name: Json): boolean {
  const type = parseGraphqlType(text)
  return type !== null && namedTypeOf(type) === name
}

function isSameName(one: Json, name: Json): boolean {
  if (!isRecord(name)) return one === name
  return isRecord(one) && equalJson(placed(one), placed(name))
}

/** With the schema that it has without one. */
const placed = (name: JsonObject): JsonObject => ({ schema: 'public', ...given(name) })

const isWithin = (at: ObjectAddress, above: string): boolean =>
  addressText(at) === above || (at.parent !== null && isWithin(at.parent, above))

/** Returns the address of an object with another value under the same parents. */
export const addressIn = ({ part }: ResourceKind, at: ObjectAddress, value: JsonObject): ObjectAddress =>
  part ? { ...at, own: part.key(value) } : address(at.type, ownKeyOf(at.type, value), at.parent)

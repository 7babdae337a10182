import {
  address,
  addressText,
  equalJson,
  isRecord,
  type Json,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  type ObjectAddress,
  objectKinds,
  ownKeyOf,
} from '@svc/schema'
import {
  canonicalValue,
  declaredValue,
  InvalidValue,
  kindOfType,
  type Reference,
  type ResourceKind,
  type Value,
  type Values,
  valuesOf,
} from '../resources/index.ts'
import { isThere, referencesOf, targetsOf } from './references.ts'
import { walkObjects } from './walk-objects.ts'

/** An object that had another identity, or will have. */
export interface Renaming {
  readonly kind: ResourceKind
  readonly from: ObjectAddress
  /** Its value before, canonical. */
  readonly old: JsonObject
  readonly to: ObjectAddress
  readonly now: JsonObject
}

/** An object that names another one which changes its identity: as it is, and as it has to be. */
export interface Retargeted {
  readonly kind: ResourceKind
  readonly at: ObjectAddress
  readonly old: JsonObject
  readonly now: JsonObject
  readonly place: JsonObject
}

/**
 * What names an object, with the new name in place of the old one: by the references that each kind declares. Only what
 * would find nothing without it is changed. `after`: the document with the object under its new identity.
 */
export function retargeted(
  document: MetadataDocument,
  after: MetadataDocument,
  renaming: Renaming,
): readonly Retargeted[] {
  const from = addressText(renaming.from)
  return [...walkObjects(document)].flatMap(({ object, at, place }) => {
    const kind = kindOfType(at.type)
    if (!kind || isWithin(at, from)) return []
    const now = retarget(kind, object, place, renaming, (reference) => {
      const leadsTo = targetsOf(document, reference).some((target) => addressText(target) === from)
      return leadsTo && (!isThere(after, reference) || uncertain.has(reference.to))
    })
    return now ? [{ kind, at, old: object.value, now, place }] : []
  })
}

/** Where only the engine knows which object is meant. */
const uncertain: ReadonlySet<Reference['to']> = new Set(['select-permission'])

/** The value of an object whose references to another one are changed; null: there are none. */
export function retarget(
  kind: ResourceKind,
  { value }: MetadataObject,
  place: JsonObject,
  renaming: Renaming,
  isMeant: (reference: Reference) => boolean,
): JsonObject | null {
  const values = valuesOf(kind, value, place, 'value')
  const above = objectKinds[kind.type].parent
  const meant = (kind.dependsOn ? referencesOf(kind, values, value, 'value') : []).filter(
    (reference) => isMeant(reference) && reference.attribute[0] !== above,
  )
  if (meant.length === 0) return null
  const names = new Set(meant.map(({ attribute: [name] }) => String(name)))
  const changed: Values = {
    ...values,
    ...Object.fromEntries([...names].map((name) => [name, renamed(values[name] ?? null, renaming)])),
  }
  try {
    const canonical = canonicalValue(kind, declaredValue(kind, changed, 'value', value))
    return canonical.ok && !equalJson(canonical.value, value) ? canonical.value : null
  } catch (error) {
    if (error instanceof InvalidValue) return null
    throw error
  }
}

/** The same with one name in place of another: texts, or `{ schema, name }`. */
function renamed(value: Value, { kind, old, now }: Renaming): Value {
  const [before] = Object.values(objectKinds[kind.type].key(old))
  const [after] = Object.values(objectKinds[kind.type].key(now))
  const walk = (one: Value): Value => {
    if (isSameName(one as Json, before ?? null)) return (after ?? null) as Value
    if (Array.isArray(one)) return one.map((item: Value) => walk(item))
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([key, item]) => [key, walk(item)]))
  }
  return walk(value)
}

function isSameName(one: Json, name: Json): boolean {
  if (!isRecord(name)) return one === name
  return isRecord(one) && equalJson({ schema: 'public', ...one }, { schema: 'public', ...name })
}

export const isWithin = (at: ObjectAddress, above: string): boolean =>
  addressText(at) === above || (at.parent !== null && isWithin(at.parent, above))

/** Where an object of another value stands in the same place. */
export const addressIn = (at: ObjectAddress, value: JsonObject): ObjectAddress =>
  address(at.type, ownKeyOf(at.type, value), at.parent)

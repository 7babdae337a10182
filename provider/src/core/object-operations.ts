import { equalJson, type JsonObject, type ObjectChange } from '@svc/schema'
import type { Envelope } from '../client/index.ts'
import { kindOfType, type Operation, partKindsOf, type ResourceKind } from '../resources/index.ts'

/** Where an object stands. */
export interface ObjectPlace {
  /** The kind of the source it is in (or is); null for what is in none. */
  readonly kind: string | null
  /** The objects above it, as operations name them: `{ source, table }`. */
  readonly above: JsonObject
}

/**
 * Returns the operations that make one change of an object, to be sent as one atomic bulk where they are several; null
 * for what no operation can say: then the whole document is replaced.
 */
export function operationsOf(
  { address, old, new: now }: ObjectChange,
  place: ObjectPlace | null,
): readonly Envelope[] | null {
  const kind = kindOfType(address.type, place?.kind ?? null)
  if (!kind && partKindsOf(address.type).length > 0)
    return partKindsOf(address.type).flatMap((one) => partOperations(one, old?.value, now?.value))
  if (!kind || !place || (place.kind !== null && !kindOfType('source', place.kind))) return null
  const { above } = place
  if (!now) return old ? kind.delete(old.value, above) : []
  return old ? kind.update(old.value, now.value, above) : kind.create(now.value, above)
}

/** Parts that are gone, changed or new. */
function partOperations(
  { part, ...kind }: ResourceKind,
  old: JsonObject | undefined,
  now: JsonObject | undefined,
): readonly Operation[] {
  const [before, after] = [old, now].map((whole) => (part && whole ? part.parts(whole) : []))
  const sameAs = (one: JsonObject) => (other: JsonObject) => part?.key(other) === part?.key(one)
  return [
    ...(before ?? []).flatMap((one) => (after?.some(sameAs(one)) ? [] : kind.delete(one, {}))),
    ...(after ?? []).flatMap((one) => {
      const known = before?.find(sameAs(one))
      if (!known) return kind.create(one, {}) ?? []
      return equalJson(known, one) ? [] : (kind.update(known, one, {}) ?? [])
    }),
  ]
}

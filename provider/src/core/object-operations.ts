import { type Json, type JsonObject, type ObjectChange, type ObjectType, objectKinds } from '@svc/schema'
import type { Envelope } from '../client/index.ts'
import { kindOfType } from '../resources/index.ts'

/** Where an object stands: the source it is in (or is) and the table, as operations name them. */
export interface Place {
  readonly source: string
  /** The kind of that source. */
  readonly kind: string
  readonly table: Json
}

/**
 * The operations that make one change of an object, to be sent as one atomic bulk where they are several; null for
 * what no operation can say: then the whole document is replaced.
 */
export function operationsOf(
  { address, old, new: now }: ObjectChange,
  place: Place | null,
): readonly Envelope[] | null {
  const kind = kindOfType(address.type)
  if (!kind || !place || place.kind !== 'postgres') return null
  const above = placeAbove(address.type, place)
  if (!now) return old ? kind.delete(old.value, above) : []
  return old ? kind.update(old.value, now.value, above) : kind.create(now.value, above)
}

function placeAbove(type: ObjectType, { source, table }: Place): JsonObject {
  const { parent } = objectKinds[type]
  if (parent === 'table') return { source, table }
  return parent === 'source' ? { source } : {}
}

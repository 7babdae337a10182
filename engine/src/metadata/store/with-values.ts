import { findObject, type JsonObject, type MetadataDocument, removeObject, setValue } from '@svc/schema'
import { parseAddress } from './parse-address.ts'

/** The text of an object's address, and its value; null: there is no such object. */
export type ObjectValue = readonly [address: string, value: JsonObject | null]

/** The document with these objects, and without those that have no value. */
export function withValues(document: MetadataDocument, values: readonly ObjectValue[]): MetadataDocument {
  // parents before what is below them: a parent's address is the shorter one
  const ordered = values.toSorted(([a], [b]) => a.length - b.length)
  return ordered.reduce<MetadataDocument>((before, [address, value]) => {
    const at = parseAddress(address)
    if (value === null) return findObject(before, at) ? removeObject(before, at) : before
    return setValue(before, at, value)
  }, document)
}

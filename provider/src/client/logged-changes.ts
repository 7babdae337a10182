import {
  address,
  customTypeAddress,
  findObject,
  isRecord,
  type Json,
  type JsonObject,
  type MetadataDocument,
  type ObjectAddress,
  objectTypes,
  ownKeyOf,
  parentAddress,
  recordOf,
  removeObject,
  setValue,
} from '@svc/schema'
import type { LoggedChange } from './change-log.ts'

/**
 * A document after what the log says. Null: the log speaks of something this version cannot place, so that everything
 * has to be read again.
 */
export function applyLogged(document: MetadataDocument, changes: readonly LoggedChange[]): MetadataDocument | null {
  let after = document
  for (const { change, object, new: value } of changes) {
    const at = addressOfKey(object.type, object.key)
    if (!at) return null
    if (change === 'delete') after = findObject(after, at) ? removeObject(after, at) : after
    // the log leaves passwords out
    else if (at.type === 'source' && JSON.stringify(value).includes('***')) return null
    else if (!isRecord(value) || (at.parent && !findObject(after, at.parent))) return null
    else after = setValue(after, at, value)
  }
  return after
}

/** The address of an object by its key as the wire has it: `{ source, table, role }`. */
export function addressOfKey(type: string, key: JsonObject): ObjectAddress | null {
  const known = objectTypes.find((one) => one === type)
  // one of the types that are one object
  if (known === 'custom_types' && typeof key.name === 'string') return customTypeAddress(key.name)
  return known ? address(known, ownKeyOf(known, key), parentAddress(known, key)) : null
}

/** The address of what a list calls an object, `{ type, key }`; null for anything else. */
export function addressOfObject(object: Json | undefined): ObjectAddress | null {
  const { type, key } = recordOf(object)
  return isRecord(key) ? addressOfKey(String(type), key) : null
}

/**
 * Tables and functions that the client of an export has already: they are answered by their hash
 * (docs/metadata-api.md#export-without-known-objects).
 */
import {
  childrenOf,
  childTypesOf,
  hashedObjects,
  hashOfExport,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  type NameStyle,
  nameStyle,
  objectKinds,
  objectSchemas,
  unknownKeys,
  writeObject,
} from '@svc/schema'
import type { LongWork } from '../../long-work.ts'

/**
 * By the object, which never changes: after a change only what differs is hashed. Null: the client has to read it
 * again.
 */
const hashes = new WeakMap<MetadataObject, string | null>()

/** Once for each object of a document. Yields the objects that it has hashed. */
export function* hashObjects(document: MetadataDocument): LongWork<void> {
  for (const { source, object } of hashedObjects(document)) {
    if (hashes.has(object)) continue
    const style = nameStyle(String(source.value.kind))
    hashes.set(object, hasUnknownKeys(object, style) ? null : hashOfExport(writeObject(object)))
    yield 1
  }
}

/** What the answer has of an object whose hash was sent: its name and the hash. Needs `hashObjects` before. */
export function asKnown(object: MetadataObject, known: ReadonlySet<string>): JsonObject | undefined {
  const hash = hashes.get(object)
  return typeof hash === 'string' && known.has(hash)
    ? { ...objectKinds[object.type].key(object.value), known: hash }
    : undefined
}

/** Such an object is answered whole, since an apply reports the keys. */
function hasUnknownKeys(object: MetadataObject, style: NameStyle): boolean {
  if (unknownKeys(objectSchemas(style)[object.type], object.value).length > 0) return true
  for (const type of childTypesOf(object.type))
    for (const child of childrenOf(object, type).values()) if (hasUnknownKeys(child, style)) return true
  return false
}

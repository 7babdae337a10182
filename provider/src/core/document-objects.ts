/**
 * Objects of a document by their addresses, where the parts of one that several resources share count as objects of their
 * own: custom types, hosts. Such an address has the kind of the shared object and the part's key.
 */
import {
  isDefaultObject,
  type JsonObject,
  kindOfSource,
  type MetadataDocument,
  type MetadataObject,
  type ObjectAddress,
  objectKinds,
  findObject as ownFindObject,
  putObject as ownPutObject,
  removeObject as ownRemoveObject,
  setValue as ownSetValue,
} from '@svc/schema'
import {
  addressOf,
  declaredValue,
  type JsonSpelling,
  type Part,
  partKindsOf,
  type ResourceKind,
  type Values,
} from '../resources/index.ts'

/** Returns the object of an address, or of a part of one. */
export function findObject(document: MetadataDocument, at: ObjectAddress): MetadataObject | undefined {
  const part = partAt(at)
  if (!part) return ownFindObject(document, at)
  const value = partsOf(document, at, part).find((one) => part.key(one) === at.own)
  return value && { type: at.type, value, children: {} }
}

/** Returns the document with an object, or a part of one, added or replaced. */
export function putObject(document: MetadataDocument, at: ObjectAddress, object: MetadataObject): MetadataDocument {
  return partAt(at) ? setValue(document, at, object.value) : ownPutObject(document, at, object)
}

/** Returns the document with another value of an object, or of a part of one; its children remain. */
export function setValue(document: MetadataDocument, at: ObjectAddress, value: JsonObject): MetadataDocument {
  const part = partAt(at)
  if (!part) return ownSetValue(document, at, value)
  const parts = partsOf(document, at, part)
  const isThere = parts.some((one) => part.key(one) === at.own)
  const after = isThere ? parts.map((one) => (part.key(one) === at.own ? value : one)) : [...parts, value]
  return ownSetValue(document, wholeOf(at), part.assemble(after))
}

/** Returns the document without an object, or a part of one; the same document where there is none. */
export function withoutObject(document: MetadataDocument, at: ObjectAddress): MetadataDocument {
  if (!findObject(document, at)) return document
  const part = partAt(at)
  if (!part) return ownRemoveObject(document, at)
  const left = part.assemble(partsOf(document, at, part).filter((one) => part.key(one) !== at.own))
  return isDefaultObject(at.type, left)
    ? ownRemoveObject(document, wholeOf(at))
    : ownSetValue(document, wholeOf(at), left)
}

/** Returns the address of the whole object where an address is of a part of it. */
export const wholeOf = (at: ObjectAddress): ObjectAddress => (partAt(at) ? { ...at, own: '' } : at)

const partAt = ({ type, own }: ObjectAddress): Part | undefined =>
  objectKinds[type].singleton && own !== '' ? partKindsOf(type)[0]?.part : undefined

const partsOf = (document: MetadataDocument, at: ObjectAddress, part: Part): readonly JsonObject[] => {
  const whole = ownFindObject(document, wholeOf(at))
  return whole ? part.parts(whole.value) : []
}

/**
 * Returns what exists for a state. A setting of the server with the default value is not in a document: it exists
 * for a state that says no more than the default.
 */
export function findDeclared(
  document: MetadataDocument,
  kind: ResourceKind,
  state: Values,
  spelling: JsonSpelling,
): MetadataObject | undefined {
  const found = findObject(document, addressOf(kind, state, spelling))
  const live = found?.type === 'source' && !kind.inKind(kindOfSource(found.value)) ? undefined : found
  if (live || kind.identityPaths.length > 0) return live
  const canonical = kind.canonical(declaredValue(kind, state, spelling))
  return canonical.ok && isDefaultObject(kind.type, canonical.value)
    ? { type: kind.type, value: canonical.value, children: {} }
    : undefined
}

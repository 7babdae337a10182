import {
  findObject,
  type JsonObject,
  type KeyedObject,
  type MetadataDocument,
  type ObjectAddress,
  type ObjectName,
  objectKinds,
  objectName,
} from '@svc/schema'

/** Returns an object's name by its address; the document need not have the object (yet). */
export function objectNameAt(document: MetadataDocument, address: ObjectAddress): ObjectName {
  const { type, own } = address
  // one of the types that are one object
  if (type === 'custom_types' && own !== '') return { type, name: `custom type ${own}`, key: { name: own } }
  return objectName(keyedAt(document, address))
}

function keyedAt(document: MetadataDocument, { type, own, parent }: ObjectAddress): KeyedObject {
  const value = findObject(document, { type, own, parent })?.value
  const key = value ? objectKinds[type].key(value) : keyOf(type, own)
  return { type, key, parent: parent && keyedAt(document, parent) }
}

/** The key that an own text was made of, as `ownKey` makes it. */
function keyOf(type: ObjectAddress['type'], own: string): JsonObject {
  const names = Object.keys(objectKinds[type].key({}))
  const parts = own.split('/')
  return Object.fromEntries(names.map((name, i) => [name, partOf(parts[i] ?? '')]))
}

/** A dot separates schema and name; those inside names are escaped. */
function partOf(text: string): JsonObject | string {
  const [schema, name, ...others] = text.split('.')
  if (schema === undefined || name === undefined || others.length > 0) return unescapeName(text)
  return { name: unescapeName(name), schema: unescapeName(schema) }
}

const unescapeName = (text: string) =>
  text.replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

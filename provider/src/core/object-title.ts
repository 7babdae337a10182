import { findObject, keyedObject, kindOfSource, type MetadataDocument, nameText, type ObjectAddress } from '@svc/schema'
import type { Need } from '../client/index.ts'
import {
  identityOf,
  importId,
  kindOfType,
  kindsOfType,
  partKindsOf,
  type ResourceKind,
  type Values,
} from '../resources/index.ts'

/** What the tool's users call a kind: `svc_select_permission`, `svc:index:SelectPermission`. */
export type TypeName = (kind: string) => string

/** Returns a resource's title with the id it is imported by: `svc_table default/public/album`. */
export const resourceTitle = (kind: ResourceKind, values: Values, typeName: TypeName): string =>
  `${typeName(kind.kind)} ${importId(identityOf(kind, values) ?? [])}`

/** Returns the title of an object of a document: `svc_select_permission user in table album in source default`. */
export const objectTitle = (document: MetadataDocument, at: ObjectAddress, typeName: TypeName): string =>
  inToolWords(nameText(keyedObject(document, at)), at.type, typeName, kindInDocument(document, at))

/** Returns the title of an object that is needed, as an engine says. */
export const needTitle = ({ name, address }: Need, typeName: TypeName): string =>
  address ? inToolWords(name, address.type, typeName) : name

/** The engine's name of an object begins with its type (reference/metadata-document#inconsistent-objects). */
function inToolWords(name: string, type: ObjectAddress['type'], typeName: TypeName, known?: ResourceKind): string {
  const [kind] = [...(known ? [known] : []), ...kindsOfType(type), ...partKindsOf(type)]
  const head = `${type} `
  if (!kind || !name.startsWith(head)) return name
  // that of an inherited role says it twice
  return `${typeName(kind.kind)} ${name.slice(head.length).replace(/^inherited role /, '')}`
}

/** Sources of each kind have a resource of their own. */
function kindInDocument(document: MetadataDocument, at: ObjectAddress): ResourceKind | undefined {
  const source = at.type === 'source' ? findObject(document, at) : undefined
  return source && kindOfType('source', kindOfSource(source.value))
}

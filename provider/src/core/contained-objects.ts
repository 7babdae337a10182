import {
  address,
  childTypesOf,
  type MetadataDocument,
  type MetadataObject,
  type ObjectAddress,
  ownKeyOf,
  sortedChildren,
} from '@svc/schema'
import { findObject } from './document-objects.ts'
import { objectTitle, type TypeName } from './object-title.ts'

/** Returns the addresses of everything below an object, parents first. */
export const addressesBelow = (object: MetadataObject, at: ObjectAddress): readonly ObjectAddress[] =>
  childTypesOf(object.type).flatMap((type) =>
    sortedChildren(object, type).flatMap((child) => {
      const below = address(type, ownKeyOf(type, child.value), at)
      return [below, ...addressesBelow(child, below)]
    }),
  )

/** Returns what is deleted with an object: all objects inside it. */
export function containedIn(document: MetadataDocument, at: ObjectAddress): readonly ObjectAddress[] {
  const object = findObject(document, at)
  return object ? addressesBelow(object, at) : []
}

/** How many objects are named one by one. */
const most = 20

/** `svc_select_permission user in table album in source default, …` */
export function namesOf(document: MetadataDocument, objects: readonly ObjectAddress[], typeName: TypeName): string {
  const names = objects.slice(0, most).map((one) => objectTitle(document, one, typeName))
  return [...names, ...(objects.length > most ? [`${objects.length - most} more`] : [])].join(', ')
}

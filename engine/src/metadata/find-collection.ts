import {
  address,
  findObject,
  type MetadataDocument,
  type ObjectAddress,
  ownKey,
  type QueryCollection,
} from '@svc/schema'
import { ApiError, type Path } from '../errors.ts'

export const collectionAddress = (name: string): ObjectAddress =>
  address('query_collection', ownKey('query_collection', { name }))

export const allowlistAddress = (collection: string): ObjectAddress =>
  address('allowlist', ownKey('allowlist', { collection }))

/** Throws not-exists at `path`. */
export function findCollection(document: MetadataDocument, name: string, path: Path): QueryCollection {
  const object = findObject(document, collectionAddress(name))
  if (!object) throw new ApiError('not-exists', path, `query collection with name "${name}" does not exist`)
  return object.value as unknown as QueryCollection
}

import {
  address,
  childrenOf,
  findObject,
  type MetadataDocument,
  type ObjectAddress,
  objectValue,
  ownKey,
  type QueryCollection,
  removeObject,
  setValue,
} from '@svc/schema'
import { ApiError, type Path } from '../errors.ts'
import type { InconsistentQuery } from './operation-context.ts'

export const collectionAddress = (name: string): ObjectAddress =>
  address('query_collection', ownKey('query_collection', { name }))

export const allowlistAddress = (collection: string): ObjectAddress =>
  address('allowlist', ownKey('allowlist', { collection }))

/** Throws not-exists at `path`. */
export function findCollection(document: MetadataDocument, name: string, path: Path): QueryCollection {
  const object = findObject(document, collectionAddress(name))
  if (!object) throw new ApiError('not-exists', path, `query collection with name "${name}" does not exist`)
  return objectValue(object, 'query_collection')
}

/** Removes a query, and an emptied collection with its entry in the allow-list and its REST endpoints. */
export function dropQuery(document: MetadataDocument, { collection: at, query }: InconsistentQuery): MetadataDocument {
  const object = findObject(document, at)
  if (!object) return document
  const collection = objectValue(object, 'query_collection')
  const queries = collection.definition.queries.filter(({ name }) => name !== query)
  if (queries.length > 0)
    return setValue(document, at, { ...object.value, definition: { ...collection.definition, queries } })
  const endpoints = [...childrenOf(document, 'rest_endpoint')].flatMap(([own, endpoint]) => {
    const { definition } = objectValue(endpoint, 'rest_endpoint')
    return definition.query.collection_name === collection.name ? [address('rest_endpoint', own)] : []
  })
  const users = [allowlistAddress(collection.name), ...endpoints].filter((user) => findObject(document, user))
  return [at, ...users].reduce(removeObject, document)
}

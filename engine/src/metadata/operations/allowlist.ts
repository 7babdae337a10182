/**
 * Which collections' queries roles may send while the allow-list is enabled
 * (reference/metadata-operations#stored-queries, reference/stored-queries#collections-and-the-allow-list).
 */
import {
  addCollectionToAllowlistArgs,
  dropCollectionFromAllowlistArgs,
  findObject,
  type MetadataDocument,
  type ObjectAddress,
  updateScopeOfCollectionInAllowlistArgs,
} from '@svc/schema'
import { ApiError, type Path } from '../../errors.ts'
import { withoutObject, withValue } from '../change-object.ts'
import { allowlistAddress, findCollection } from '../find-collection.ts'
import { defineOperation, type Operation } from '../operation.ts'

/** Throws not-exists for an unknown collection, not-found for one that is not in the allow-list; both at `path`. */
function findEntry(document: MetadataDocument, collection: string, path: Path): ObjectAddress {
  findCollection(document, collection, path)
  const at = allowlistAddress(collection)
  if (!findObject(document, at))
    throw new ApiError('not-found', path, `collection "${collection}" doesn't exist in the allowlist`)
  return at
}

/** add_collection_to_allowlist: an existing one is unchanged, and the answer says so. Throws not-exists. */
const addCollectionToAllowlist = defineOperation({
  type: 'add_collection_to_allowlist',
  args: addCollectionToAllowlistArgs,
  check: 'no-new',
  apply(document, { collection, scope }, path) {
    findCollection(document, collection, path.at('collection'))
    const at = allowlistAddress(collection)
    if (findObject(document, at)) return { document, touched: [], answer: alreadyThere(collection) }
    return withValue(document, at, { collection, scope: { ...scope } })
  },
})

const alreadyThere = (collection: string) => ({
  message: `collection "${collection}" already exists in the allowlist, scope ignored; to change scope, use update_scope_of_collection_in_allowlist`,
})

/** update_scope_of_collection_in_allowlist. not-exists, not-found. */
const updateScope = defineOperation({
  type: 'update_scope_of_collection_in_allowlist',
  args: updateScopeOfCollectionInAllowlistArgs,
  check: 'no-new',
  apply(document, { collection, scope }, path) {
    const at = findEntry(document, collection, path.at('collection'))
    return withValue(document, at, { collection, scope: { ...scope } })
  },
})

/** drop_collection_from_allowlist. not-exists, not-found. */
const dropCollectionFromAllowlist = defineOperation({
  type: 'drop_collection_from_allowlist',
  args: dropCollectionFromAllowlistArgs,
  check: 'no-new',
  drops: ({ collection }) => [allowlistAddress(collection)],
  apply(document, { collection }, path) {
    const at = findEntry(document, collection, path.at('collection'))
    return withoutObject(document, at)
  },
})

export const allowlistOperations: readonly Operation[] = [
  addCollectionToAllowlist,
  updateScope,
  dropCollectionFromAllowlist,
]

/** Collections of named queries (reference/metadata-operations#stored-queries). */
import {
  addQueryToCollectionArgs,
  type CollectionQuery,
  createQueryCollectionArgs,
  dropQueryCollectionArgs,
  dropQueryFromCollectionArgs,
  findObject,
  type MetadataDocument,
  type QueryCollection,
  removeObject,
  renameQueryCollectionArgs,
  setValue,
} from '@svc/schema'
import { ApiError, type Path } from '../../errors.ts'
import { allowlistAddress, collectionAddress, findCollection } from '../find-collection.ts'
import { withoutAbsent } from '../find-table.ts'
import { defineOperation, type Operation } from '../operation.ts'

const put = (document: MetadataDocument, collection: QueryCollection): MetadataDocument =>
  setValue(document, collectionAddress(collection.name), withoutAbsent({ ...collection }))

function refuseExisting(document: MetadataDocument, name: string, path: Path): void {
  if (findObject(document, collectionAddress(name)))
    throw new ApiError('already-exists', path, `query collection with name "${name}" already exists`)
}

/** create_query_collection. already-exists at `name`; not-supported for two queries of one name. */
const createQueryCollection = defineOperation({
  type: 'create_query_collection',
  args: createQueryCollectionArgs,
  check: 'no-new',
  apply(document, collection, path) {
    refuseExisting(document, collection.name, path.at('name'))
    const names = collection.definition.queries.map((query) => query.name)
    const twice = [...new Set(names.filter((name, i) => names.indexOf(name) !== i))]
    if (twice.length > 0)
      throw new ApiError(
        'not-supported',
        path.at('definition', 'queries'),
        `found duplicate query names ${twice.map((name) => `"${name}"`).join(', ')}`,
      )
    return { document: put(document, collection), touched: [collectionAddress(collection.name)] }
  },
})

/** rename_query_collection: what refers to it keeps the old name (reference/metadata-operations#stored-queries). */
const renameQueryCollection = defineOperation({
  type: 'rename_query_collection',
  args: renameQueryCollectionArgs,
  check: 'no-new',
  apply(document, { name, new_name }, path) {
    const collection = findCollection(document, name, path.at('name'))
    refuseExisting(document, new_name, path.at('new_name'))
    const renamed = put(removeObject(document, collectionAddress(name)), { ...collection, name: new_name })
    return { document: renamed, touched: [collectionAddress(name), collectionAddress(new_name)] }
  },
})

/** drop_query_collection. not-exists; dependency-error while it is in the allow-list, unless it cascades. */
const dropQueryCollection = defineOperation({
  type: 'drop_query_collection',
  args: dropQueryCollectionArgs,
  check: 'no-new',
  drops: ({ collection }) => [collectionAddress(collection)],
  apply(document, { collection, cascade }, path) {
    findCollection(document, collection, path.at('collection'))
    const at = collectionAddress(collection)
    const entry = allowlistAddress(collection)
    const isAllowed = findObject(document, entry) !== undefined
    if (isAllowed && !cascade)
      throw new ApiError(
        'dependency-error',
        path.at('collection'),
        `query collection with name "${collection}" is present in the allowlist; cannot proceed to drop. please use cascade to confirm`,
      )
    const dropped = removeObject(document, at)
    return isAllowed
      ? { document: removeObject(dropped, entry), touched: [at, entry] }
      : { document: dropped, touched: [at] }
  },
})

/** add_query_to_collection. not-exists for the collection; already-exists for the query. */
const addQueryToCollection = defineOperation({
  type: 'add_query_to_collection',
  args: addQueryToCollectionArgs,
  check: 'no-new',
  apply(document, { collection_name, query_name, query }, path) {
    const at = path.at('collection_name')
    const collection = findCollection(document, collection_name, at)
    const { queries } = collection.definition
    if (queries.some(({ name }) => name === query_name))
      throw new ApiError(
        'already-exists',
        at,
        `query with name "${query_name}" already exists in collection "${collection_name}"`,
      )
    return withQueries(document, collection, [...queries, { name: query_name, query }])
  },
})

/** drop_query_from_collection. not-exists for the collection; not-found for the query. */
const dropQueryFromCollection = defineOperation({
  type: 'drop_query_from_collection',
  args: dropQueryFromCollectionArgs,
  check: 'no-new',
  apply(document, { collection_name, query_name }, path) {
    const collection = findCollection(document, collection_name, path.at('collection_name'))
    const left = collection.definition.queries.filter(({ name }) => name !== query_name)
    if (left.length === collection.definition.queries.length)
      throw path.error('not-found', `query with name "${query_name}" not found in collection "${collection_name}"`)
    return withQueries(document, collection, left)
  },
})

const withQueries = (document: MetadataDocument, collection: QueryCollection, queries: readonly CollectionQuery[]) => ({
  document: put(document, { ...collection, definition: { ...collection.definition, queries } }),
  touched: [collectionAddress(collection.name)],
})

export const queryCollectionOperations: readonly Operation[] = [
  createQueryCollection,
  renameQueryCollection,
  dropQueryCollection,
  addQueryToCollection,
  dropQueryFromCollection,
]

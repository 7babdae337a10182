import { allowlistScope } from '../objects/allowlist-entry.ts'
import { graphqlText } from '../objects/graphql-text.ts'
import { queryCollectionDefinition } from '../objects/query-collection.ts'
import { boolean, filled, name, optional, record, text, type Value } from '../shape.ts'

const ignore = { unknown: 'ignore' } as const

/** create_query_collection (reference/metadata-operations#stored-queries). */
export const createQueryCollectionArgs = record(
  { name, definition: queryCollectionDefinition, comment: optional(text) },
  ignore,
)
export type CreateQueryCollectionArgs = Value<typeof createQueryCollectionArgs>

/** rename_query_collection */
export const renameQueryCollectionArgs = record({ name, new_name: name }, ignore)
export type RenameQueryCollectionArgs = Value<typeof renameQueryCollectionArgs>

/** drop_query_collection: `cascade` takes it from the allow-list as well. */
export const dropQueryCollectionArgs = record({ collection: name, cascade: filled(boolean, false) }, ignore)
export type DropQueryCollectionArgs = Value<typeof dropQueryCollectionArgs>

/** add_query_to_collection */
export const addQueryToCollectionArgs = record({ collection_name: name, query_name: name, query: graphqlText }, ignore)
export type AddQueryToCollectionArgs = Value<typeof addQueryToCollectionArgs>

/** drop_query_from_collection */
export const dropQueryFromCollectionArgs = record({ collection_name: name, query_name: name }, ignore)
export type DropQueryFromCollectionArgs = Value<typeof dropQueryFromCollectionArgs>

/**
 * add_collection_to_allowlist: for everyone unless `scope` names roles
 * (reference/stored-queries#collections-and-the-allow-list).
 */
export const addCollectionToAllowlistArgs = record(
  { collection: name, scope: filled(allowlistScope, { global: true }) },
  ignore,
)
export type AddCollectionToAllowlistArgs = Value<typeof addCollectionToAllowlistArgs>

/** drop_collection_from_allowlist */
export const dropCollectionFromAllowlistArgs = record({ collection: name }, ignore)
export type DropCollectionFromAllowlistArgs = Value<typeof dropCollectionFromAllowlistArgs>

/** update_scope_of_collection_in_allowlist */
export const updateScopeOfCollectionInAllowlistArgs = record({ collection: name, scope: allowlistScope }, ignore)
export type UpdateScopeOfCollectionInAllowlistArgs = Value<typeof updateScopeOfCollectionInAllowlistArgs>

import { allowlistScope } from '../objects/allowlist-entry.ts'
import { graphqlText } from '../objects/graphql-text.ts'
import { queryCollectionDefinition } from '../objects/query-collection.ts'
import { boolean, filled, lenient, name, optional, text } from '../shape.ts'

/** create_query_collection (reference/metadata-operations#stored-queries). */
export const createQueryCollectionArgs = lenient({
  name,
  definition: queryCollectionDefinition,
  comment: optional(text),
})

/** rename_query_collection */
export const renameQueryCollectionArgs = lenient({ name, new_name: name })

/** drop_query_collection: `cascade` removes it from the allow-list as well. */
export const dropQueryCollectionArgs = lenient({ collection: name, cascade: filled(boolean, false) })

/** add_query_to_collection */
export const addQueryToCollectionArgs = lenient({ collection_name: name, query_name: name, query: graphqlText })

/** drop_query_from_collection */
export const dropQueryFromCollectionArgs = lenient({ collection_name: name, query_name: name })

/**
 * add_collection_to_allowlist: for everyone unless `scope` names roles
 * (reference/stored-queries#collections-and-the-allow-list).
 */
export const addCollectionToAllowlistArgs = lenient({
  collection: name,
  scope: filled(allowlistScope, { global: true }),
})

/** drop_collection_from_allowlist */
export const dropCollectionFromAllowlistArgs = lenient({ collection: name })

/** update_scope_of_collection_in_allowlist */
export const updateScopeOfCollectionInAllowlistArgs = lenient({ collection: name, scope: allowlistScope })

/** drop_rest_endpoint (reference/metadata-operations#stored-queries). */
export const dropRestEndpointArgs = lenient({ name })

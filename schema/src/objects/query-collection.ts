import { list, name, optional, record, text, type Value } from '../shape.ts'
import { graphqlText } from './graphql-text.ts'

/** A named GraphQL document of a collection. */
export const collectionQuery = record({ name, query: graphqlText })
export type CollectionQuery = Value<typeof collectionQuery>

export const queryCollectionDefinition = record({ queries: list(collectionQuery) })

/** Named GraphQL queries (reference/metadata-operations#stored-queries). */
export const queryCollection = record({
  name,
  definition: queryCollectionDefinition,
  comment: optional(text),
})
export type QueryCollection = Value<typeof queryCollection>

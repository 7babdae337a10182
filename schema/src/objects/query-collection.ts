import { list, name, optional, record, text, type Value } from '../shape.ts'

export const collectionQuery = record({ name, query: text })

/** Named GraphQL queries (seed, Query collection; spec 01 §2.12). */
export const queryCollection = record({
  name,
  definition: record({ queries: list(collectionQuery) }),
  comment: optional(text),
})
export type QueryCollection = Value<typeof queryCollection>

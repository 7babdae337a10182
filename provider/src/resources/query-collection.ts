import type { Json } from '@svc/schema'
import { filled, identifying } from './attributes-of.ts'
import { defineResource, type Reference } from './define-resource.ts'
import { comment } from './in-table.ts'
import { op } from './operation.ts'

/** Named GraphQL queries (reference/metadata-operations#stored-queries). */
export const queryCollection = defineResource({
  kind: 'QueryCollection',
  type: 'query_collection',
  description: 'Named GraphQL queries, which REST endpoints answer with and the allow-list names.',
  inputs: {
    name: identifying('Its name.'),
    queries: {
      description: 'The queries, no two of one name.',
      at: 'definition.queries',
      typeName: 'CollectionQuery',
      of: {
        name: 'Its name in the collection.',
        query: filled('The GraphQL document: an operation, and fragments that it uses.'),
      },
    },
    comment,
  },
  identity: ['name'],
  example: ['albums'],
  createBeforeDelete: true,
  create: (now) => [op('create_query_collection', now)],
  // The one that is there makes way for another under its name: what names it, REST endpoints and the allow-list, is
  // checked only once all is done, and keeps naming it. Dropping it first would drop its entry in the allow-list.
  update(_, now) {
    const { name = null } = now
    const old = `${String(name)} (replaced)`
    return [
      op('rename_query_collection', { name, new_name: old }),
      op('create_query_collection', now),
      op('drop_query_collection', { collection: old }),
    ]
  },
  delete: ({ name = null }) => [op('drop_query_collection', { collection: name })],
  rename: ({ name = null }, { name: new_name = null }) => [op('rename_query_collection', { name, new_name })],
})

/** A query collection that an attribute names. */
export const collectionReference = (name: Json, attribute: string): Reference => ({
  to: 'top-level',
  type: 'query_collection',
  source: null,
  key: { name },
  attribute: [attribute],
})

import './attribute-meta.ts'
import { z } from 'zod'
import { defineResource } from './define-resource.ts'
import { op } from './operation.ts'

const query = z
  .object({
    name: z.string().min(1, 'must not be empty').meta({ description: 'Its name in the collection.' }),
    query: z
      .string()
      .min(1, 'must not be empty')
      .meta({ description: 'The GraphQL document: an operation, and fragments that it uses.' }),
  })
  .meta({ typeName: 'CollectionQuery' })

/** Named GraphQL queries (reference/metadata-operations#stored-queries). */
export const queryCollection = defineResource({
  kind: 'QueryCollection',
  type: 'query_collection',
  description: 'Named GraphQL queries, which REST endpoints answer with and the allow-list names.',
  inputs: {
    name: z.string().min(1, 'must not be empty').meta({ description: 'Its name.', replace: true }),
    queries: z.array(query).meta({ description: 'The queries, no two of one name.', at: 'definition.queries' }),
    comment: z.string().optional().meta({ description: 'For people who read the metadata.' }),
  },
  identity: ['name'],
  example: ['albums'],
  standsBeside: true,
  create: (now) => [op('create_query_collection', now)],
  // The one that is there makes way for another under its name: what names it, REST endpoints and the allow-list, is judged
  // only once all is done, and keeps naming it. Dropping it first would drop its entry in the allow-list.
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

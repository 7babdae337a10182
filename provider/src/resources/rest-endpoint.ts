import { recordOf } from '@svc/schema'
import { identifying, within } from './attributes-of.ts'
import { defineResource } from './define-resource.ts'
import { comment } from './in-table.ts'
import { operations } from './operation.ts'
import { collectionReference } from './query-collection.ts'

/** A path that answers with a query of a collection (reference/metadata-operations#stored-queries). */
export const restEndpoint = defineResource({
  kind: 'RestEndpoint',
  type: 'rest_endpoint',
  description: 'A path below `/api/rest` that answers with a query of a collection.',
  inputs: {
    name: identifying('Its name.'),
    url: 'The path below `/api/rest`. `:name` is a variable of the query: `albums/:id`.',
    methods: { description: 'HTTP methods it answers to.', set: true },
    ...within('definition.query', {
      collection_name: 'Name of the query collection, best as an output of it.',
      query_name: 'Name of the query in that collection.',
    }),
    comment,
  },
  identity: ['name'],
  example: ['album'],
  dependsOn: (_, { definition }) => {
    const { collection_name: name } = recordOf(recordOf(definition).query)
    return name === undefined ? [] : [collectionReference(name, 'collection_name')]
  },
  ...operations('create_rest_endpoint', null, 'drop_rest_endpoint', 'name'),
})

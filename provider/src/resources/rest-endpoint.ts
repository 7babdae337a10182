import './attribute-meta.ts'
import { z } from 'zod'
import { defineResource } from './define-resource.ts'
import { isObject } from './in-table.ts'
import { op } from './operation.ts'
import { collectionReference } from './top-level-reference.ts'

/** A path that answers with a query of a collection (reference/metadata-operations#stored-queries). */
export const restEndpoint = defineResource({
  kind: 'RestEndpoint',
  type: 'rest_endpoint',
  description: 'A path below `/api/rest` that answers with a query of a collection.',
  inputs: {
    name: z.string().min(1, 'must not be empty').meta({ description: 'Its name.', replace: true }),
    url: z
      .string()
      .min(1, 'must not be empty')
      .meta({ description: 'The path below `/api/rest`. `:name` is a variable of the query: `albums/:id`.' }),
    methods: z
      .array(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))
      .min(1, 'must not be empty')
      .meta({ typeName: 'RestMethod', description: 'HTTP methods it answers to.', set: true }),
    collection_name: z.string().min(1, 'must not be empty').meta({
      description: 'Name of the query collection, best as an output of it.',
      at: 'definition.query.collection_name',
    }),
    query_name: z.string().min(1, 'must not be empty').meta({
      description: 'Name of the query in that collection.',
      at: 'definition.query.query_name',
    }),
    comment: z.string().optional().meta({ description: 'For people who read the metadata.' }),
  },
  identity: ['name'],
  example: ['album'],
  dependsOn: (_, { definition }) =>
    isObject(definition) && isObject(definition.query)
      ? [collectionReference(definition.query.collection_name ?? null, 'collection_name')]
      : [],
  create: (now) => [op('create_rest_endpoint', now)],
  update: ({ name = null }, now) => [op('drop_rest_endpoint', { name }), op('create_rest_endpoint', now)],
  delete: ({ name = null }) => [op('drop_rest_endpoint', { name })],
})

import { isRecord } from '@svc/schema'
import { identifying } from './attributes-of.ts'
import { defineResource } from './define-resource.ts'
import { operations } from './operation.ts'
import { collectionReference } from './query-collection.ts'

/**
 * Which roles may send the queries of a collection while the allow-list is on
 * (reference/metadata-operations#stored-queries, reference/stored-queries#collections-and-the-allow-list).
 */
export const allowlistEntry = defineResource({
  kind: 'AllowlistEntry',
  type: 'allowlist',
  description: 'A query collection whose queries may be sent while the allow-list is enabled.',
  inputs: {
    collection: identifying('Name of the query collection, best as an output of it.'),
    roles: {
      description: 'Roles that may send them. Without it every role.',
      set: true,
      at: 'scope',
      from: 'scope.roles',
      optional: true,
    },
  },
  identity: ['collection'],
  example: ['albums'],
  codecs: {
    roles: {
      encode: (roles) => (roles === undefined || roles === null ? { global: true } : { global: false, roles }),
      decode: (scope) => (isRecord(scope) && scope.global === false ? scope.roles : undefined),
      decodePath: ([head, ...rest]) => (head === 'roles' ? rest : []),
    },
  },
  dependsOn: (_, { collection = null }) => [collectionReference(collection, 'collection')],
  ...operations(
    'add_collection_to_allowlist',
    'update_scope_of_collection_in_allowlist',
    'drop_collection_from_allowlist',
    'collection',
  ),
})

import { defineResource } from './define-resource.ts'
import { op } from './operation.ts'

/** Which roles may introspect the GraphQL schema (reference/metadata-operations#roles-limits-telemetry). */
export const introspectionOptions = defineResource({
  kind: 'IntrospectionOptions',
  type: 'graphql_schema_introspection',
  description:
    'Which roles cannot introspect the GraphQL schema. There is one of it in an engine: a second stack that declares it is refused, and deleting it lets every role introspect.',
  inputs: {
    disabled_for_roles: {
      description: 'Roles that get no answer to `__schema` and `__type`.',
      set: true,
      optional: false,
    },
  },
  identity: [],
  example: ['introspection_options'],
  create: (now) => [op('set_graphql_schema_introspection_options', now)],
  update: (_, now) => [op('set_graphql_schema_introspection_options', now)],
  delete: () => [op('set_graphql_schema_introspection_options', { disabled_for_roles: [] })],
})

import { identifying, parentName } from './attributes-of.ts'
import { defineResource } from './define-resource.ts'
import { operations } from './operation.ts'
import { relationshipName } from './relationship.ts'
import { remoteTarget, remoteTargets } from './remote-relationship-definition.ts'

/** Leads from a type of a remote schema to a table or to a remote schema (reference/metadata-operations#remote-relationships). */
export const remoteTypeRelationship = defineResource({
  kind: 'RemoteTypeRelationship',
  type: 'remote_schema_remote_relationship',
  description: [
    'A relationship from a type of a remote schema to rows of a table, or to a field of a remote schema.',
    'From a table it is a `RemoteRelationship`.',
  ].join(' '),
  inputs: {
    remote_schema: parentName('Name of the remote schema that has the type, best as an output of it.'),
    type_name: identifying('The type, by the name that its server gives it.'),
    name: relationshipName,
    ...remoteTarget,
  },
  identity: ['remote_schema', 'type_name', 'name'],
  example: ['crm', 'User', 'invoices'],
  ...remoteTargets,
  ...operations(
    'create_remote_schema_remote_relationship',
    'update_remote_schema_remote_relationship',
    'delete_remote_schema_remote_relationship',
    'type_name',
    'name',
  ),
})

import { defineInSource } from './define-resource.ts'
import { inTable, tableIdentity } from './in-table.ts'
import { relationshipName } from './relationship.ts'
import { remoteTarget, remoteTargets } from './remote-relationship-definition.ts'

/** Leads from a table to another source or to a remote schema (reference/metadata-operations#remote-relationships). */
export const remoteRelationship = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'RemoteRelationship',
  type: 'remote_relationship',
  description: [
    'A relationship from a row to rows of another source, or to a field of a remote schema.',
    'From a type of a remote schema it is a `RemoteTypeRelationship`.',
    'One in the older form, with `svc_fields`, is read as the same in the newer one.',
  ].join(' '),
  inputs: { ...inTable(family), name: relationshipName, ...remoteTarget },
  identity: [...tableIdentity(family), 'name'],
  example: ['default', 'public', 'invoice', 'buyer'],
  ...remoteTargets,
  ...family.operations(
    'create_remote_relationship',
    'update_remote_relationship',
    'delete_remote_relationship',
    'name',
  ),
}))

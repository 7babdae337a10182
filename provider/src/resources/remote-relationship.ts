import { defineResource } from './define-resource.ts'
import { inTable } from './in-table.ts'
import { op } from './operation.ts'
import { relationshipName } from './relationship.ts'
import { remoteTarget, remoteTargets } from './remote-relationship-definition.ts'

/** Leads from a table to another source or to a remote schema (reference/metadata-operations#remote-relationships). */
export const remoteRelationship = defineResource({
  kind: 'RemoteRelationship',
  type: 'remote_relationship',
  description: [
    'A relationship from a row to rows of another source, or to a field of a remote schema.',
    'From a type of a remote schema it is a `RemoteTypeRelationship`.',
    'One in the older form, with `svc_fields`, is read as the same in the newer one.',
  ].join(' '),
  inputs: {
    ...inTable,
    name: relationshipName,
    ...remoteTarget,
  },
  identity: ['source', 'table.schema', 'table.name', 'name'],
  example: ['default', 'public', 'invoice', 'buyer'],
  ...remoteTargets,
  create: (now, place) => [op('pg_create_remote_relationship', { ...place, ...now })],
  update: (_, now, place) => [op('pg_update_remote_relationship', { ...place, ...now })],
  delete: ({ name = null }, place) => [op('pg_delete_remote_relationship', { ...place, name })],
})

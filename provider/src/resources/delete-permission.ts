import { within } from './attributes-of.ts'
import { defineInSource } from './define-resource.ts'
import { comment, tableIdentity } from './in-table.ts'
import { permissionHead, permissionOperations, permissionTail, writeCodecs } from './write-permission.ts'

/** What a role may delete from a table (reference/metadata-operations#permissions-of-tables). */
export const deletePermission = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'DeletePermission',
  type: 'delete_permission',
  description: 'Which rows of a table a role may delete.',
  inputs: {
    ...permissionHead(family),
    ...within('permission', {
      filter: { description: 'Condition of the rows it may delete, as JSON. `{}`: all rows.', json: true },
      ...permissionTail,
    }),
    comment,
  },
  identity: [...tableIdentity(family), 'role'],
  example: ['default', 'public', 'album', 'user'],
  codecs: writeCodecs,
  ...permissionOperations('delete', family),
}))

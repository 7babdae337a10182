import './attribute-meta.ts'
import { z } from 'zod'
import { defineInSource } from './define-resource.ts'
import { tableIdentity } from './in-table.ts'
import { permissionHead, permissionTail, writeCodecs, writePermissionOperations } from './write-permission.ts'

/** What a role may delete from a table (reference/metadata-operations#permissions-of-tables). */
export const deletePermission = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'DeletePermission',
  type: 'delete_permission',
  description: 'Which rows of a table a role may delete.',
  inputs: {
    ...permissionHead(family),
    filter: z.unknown().meta({
      description: 'Condition of the rows it may delete, as JSON. `{}`: all rows.',
      json: true,
      at: 'permission.filter',
    }),
    ...permissionTail,
  },
  identity: [...tableIdentity(family), 'role'],
  example: ['default', 'public', 'album', 'user'],
  codecs: writeCodecs,
  ...writePermissionOperations('delete', family),
}))

import { defineInSource } from './define-resource.ts'
import { permissionTail, tablePermission, writeCodecs } from './table-permission.ts'

/** What a role may delete from a table (reference/metadata-operations#permissions-of-tables). */
export const deletePermission = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'DeletePermission',
  description: 'Which rows of a table a role may delete.',
  ...tablePermission('delete', family, {
    filter: { description: 'Condition of the rows it may delete, as JSON. `{}`: all rows.', json: true },
    ...permissionTail,
  }),
  codecs: writeCodecs,
}))

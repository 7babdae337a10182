import { within } from './attributes-of.ts'
import { columnsOrAll } from './column-names.ts'
import { defineInSource } from './define-resource.ts'
import { comment, tableIdentity } from './in-table.ts'
import {
  allColumns,
  permissionHead,
  permissionOperations,
  permissionTail,
  presets,
  writeCodecs,
} from './write-permission.ts'

/** What a role may change in a table (reference/metadata-operations#permissions-of-tables). */
export const updatePermission = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'UpdatePermission',
  type: 'update_permission',
  description: 'Which rows of a table a role may change, and which of their columns.',
  inputs: {
    ...permissionHead(family),
    ...within('permission', {
      ...columnsOrAll('change'),
      filter: { description: 'Condition of the rows it may change, as JSON. `{}`: all rows.', json: true },
      check: { description: 'Condition that a row must meet after the change, as JSON. Without it none.', json: true },
      set: presets,
      ...permissionTail,
    }),
    comment,
  },
  identity: [...tableIdentity(family), 'role'],
  example: ['default', 'public', 'album', 'user'],
  codecs: { ...writeCodecs, all_columns: allColumns },
  exactlyOne: [['columns', 'all_columns']],
  ...permissionOperations('update', family),
}))

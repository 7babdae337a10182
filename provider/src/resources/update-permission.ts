import './attribute-meta.ts'
import { z } from 'zod'
import { columnNames } from './column-names.ts'
import { defineInSource } from './define-resource.ts'
import { tableIdentity } from './in-table.ts'
import {
  allColumns,
  permissionHead,
  permissionTail,
  presets,
  writeCodecs,
  writePermissionOperations,
} from './write-permission.ts'

/** What a role may change in a table (reference/metadata-operations#permissions-of-tables). */
export const updatePermission = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'UpdatePermission',
  type: 'update_permission',
  description: 'Which rows of a table a role may change, and which of their columns.',
  inputs: {
    ...permissionHead(family),
    columns: columnNames('Columns it may change. Either this or `all_columns`.', 'permission.columns'),
    all_columns: z.boolean().default(false).meta({
      description: 'All columns, also those that the table gets later. Either this or `columns`.',
      at: 'permission.columns',
    }),
    filter: z.unknown().meta({
      description: 'Condition of the rows it may change, as JSON. `{}`: all rows.',
      json: true,
      at: 'permission.filter',
    }),
    check: z.unknown().optional().meta({
      description: 'Condition that a row must meet after the change, as JSON. Without it none.',
      json: true,
      at: 'permission.check',
    }),
    set: presets,
    ...permissionTail,
  },
  identity: [...tableIdentity(family), 'role'],
  example: ['default', 'public', 'album', 'user'],
  codecs: { ...writeCodecs, all_columns: allColumns },
  exactlyOne: [['columns', 'all_columns']],
  ...writePermissionOperations('update', family),
}))

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

/** What a role may insert into a table (reference/metadata-operations#permissions-of-tables). */
export const insertPermission = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'InsertPermission',
  type: 'insert_permission',
  description: 'Which rows a role may insert into a table, and which of their columns it may set.',
  inputs: {
    ...permissionHead(family),
    columns: columnNames('Columns it may set. Either this or `all_columns`.', 'permission.columns'),
    all_columns: z.boolean().default(false).meta({
      description: 'All columns, also those that the table gets later. Either this or `columns`.',
      at: 'permission.columns',
    }),
    check: z.unknown().meta({
      description: 'Condition that every new row must meet, as JSON. `{}`: none.',
      json: true,
      at: 'permission.check',
    }),
    set: presets,
    ...permissionTail,
  },
  identity: [...tableIdentity(family), 'role'],
  example: ['default', 'public', 'album', 'user'],
  // without columns it is all of them
  codecs: {
    ...writeCodecs,
    all_columns: { ...allColumns, decode: (columns) => columns === undefined || columns === '*' },
  },
  exactlyOne: [['columns', 'all_columns']],
  ...writePermissionOperations('insert', family),
}))

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

/** What a role may insert into a table (reference/metadata-operations#permissions-of-tables). */
export const insertPermission = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'InsertPermission',
  type: 'insert_permission',
  description: 'Which rows a role may insert into a table, and which of their columns it may set.',
  inputs: {
    ...permissionHead(family),
    ...within('permission', {
      ...columnsOrAll('set'),
      check: { description: 'Condition that every new row must meet, as JSON. `{}`: none.', json: true },
      set: presets,
      ...permissionTail,
    }),
    comment,
  },
  identity: [...tableIdentity(family), 'role'],
  example: ['default', 'public', 'album', 'user'],
  // without columns it is all of them
  codecs: {
    ...writeCodecs,
    all_columns: { ...allColumns, decode: (columns) => columns === undefined || columns === '*' },
  },
  exactlyOne: [['columns', 'all_columns']],
  ...permissionOperations('insert', family),
}))

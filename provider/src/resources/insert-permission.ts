import { columnsOrAll } from './column-names.ts'
import { defineInSource } from './define-resource.ts'
import { allColumns, permissionTail, presets, tablePermission, writeCodecs } from './table-permission.ts'

/** What a role may insert into a table (reference/metadata-operations#permissions-of-tables). */
export const insertPermission = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'InsertPermission',
  description: 'Which rows a role may insert into a table, and which of their columns it may set.',
  ...tablePermission('insert', family, {
    ...columnsOrAll('set'),
    check: { description: 'Condition that every new row must meet, as JSON. `{}`: none.', json: true },
    set: presets,
    ...permissionTail,
  }),
  // without columns it is all of them
  codecs: {
    ...writeCodecs,
    all_columns: { ...allColumns, decode: (columns) => columns === undefined || columns === '*' },
  },
  exactlyOne: [['columns', 'all_columns']],
}))

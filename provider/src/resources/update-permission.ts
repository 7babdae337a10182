import { columnsOrAll } from './column-names.ts'
import { defineInSource } from './define-resource.ts'
import { allColumns, permissionTail, presets, tablePermission, writeCodecs } from './table-permission.ts'

/** What a role may change in a table (reference/metadata-operations#permissions-of-tables). */
export const updatePermission = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'UpdatePermission',
  description: 'Which rows of a table a role may change, and which of their columns.',
  ...tablePermission('update', family, {
    ...columnsOrAll('change'),
    filter: { description: 'Condition of the rows it may change, as JSON. `{}`: all rows.', json: true },
    check: { description: 'Condition that a row must meet after the change, as JSON. Without it none.', json: true },
    set: presets,
    ...permissionTail,
  }),
  codecs: { ...writeCodecs, all_columns: allColumns },
  exactlyOne: [['columns', 'all_columns']],
}))

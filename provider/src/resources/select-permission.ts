import { type Json, recordOf, textsIn } from '@svc/schema'
import { columnsOrAll } from './column-names.ts'
import { defineInSource } from './define-resource.ts'
import { referencesOfConditions } from './row-condition-references.ts'
import { allColumns, tablePermission } from './table-permission.ts'

/** What a role may read of a table (reference/metadata-operations#permissions-of-tables). */
export const selectPermission = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'SelectPermission',
  description: 'Which columns and rows of a table a role may read.',
  ...tablePermission('select', family, {
    ...columnsOrAll('read'),
    computed_fields: { description: 'Computed fields it may read.', set: true },
    filter: { description: 'Condition of the rows it may read, as JSON. `{}`: all rows.', json: true },
    limit: { description: 'Most rows of one answer.', refuses: 'negative' },
    allow_aggregations: 'Whether it may count and aggregate.',
    query_root_fields: {
      description: 'Root fields of queries it may use. Without it all, an empty list none.',
      set: true,
    },
    subscription_root_fields: {
      description: 'Root fields of subscriptions it may use. Without it all, an empty list none.',
      set: true,
    },
  }),
  codecs: { all_columns: allColumns },
  exactlyOne: [['columns', 'all_columns']],
  dependsOn(values, value) {
    const [source, table] = [values.source as Json, values.table as Json]
    const fields = textsIn(recordOf(value.permission).computed_fields)
    return [
      ...fields.map((name) => ({ to: 'computed-field', source, table, name, attribute: ['computed_fields'] }) as const),
      ...referencesOfConditions(source, table, value),
    ]
  },
}))

import type { Json } from '@svc/schema'
import { within } from './attributes-of.ts'
import { columnsOrAll } from './column-names.ts'
import { defineInSource } from './define-resource.ts'
import { comment, isObject, tableIdentity } from './in-table.ts'
import { referencesOfConditions } from './row-condition-references.ts'
import { allColumns, permissionHead, permissionOperations } from './write-permission.ts'

/** What a role may read of a table (reference/metadata-operations#permissions-of-tables). */
export const selectPermission = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'SelectPermission',
  type: 'select_permission',
  description: 'Which columns and rows of a table a role may read.',
  inputs: {
    ...permissionHead(family),
    ...within('permission', {
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
    comment,
  },
  identity: [...tableIdentity(family), 'role'],
  example: ['default', 'public', 'album', 'user'],
  codecs: { all_columns: allColumns },
  exactlyOne: [['columns', 'all_columns']],
  ...permissionOperations('select', family),
  dependsOn({ source, table }, value) {
    const { computed_fields: computed } = isObject(value.permission) ? value.permission : {}
    const fields = Array.isArray(computed) ? (computed as readonly Json[]) : []
    const [within, of] = [source as Json, table as Json]
    return [
      ...fields.map(
        (name) => ({ to: 'computed-field', source: within, table: of, name, attribute: ['computed_fields'] }) as const,
      ),
      ...referencesOfConditions(within, of, value),
    ]
  },
}))

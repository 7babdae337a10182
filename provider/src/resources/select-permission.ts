import type { Json } from '@svc/schema'
import { within } from './attributes-of.ts'
import { columnsOrAll } from './column-names.ts'
import { defineInSource } from './define-resource.ts'
import { comment, forRole, inTable, isObject, tableIdentity } from './in-table.ts'
import { onlyChanged } from './object-changes.ts'
import { referencesOfConditions } from './row-condition-references.ts'

/** What a role may read of a table (reference/metadata-operations#permissions-of-tables). */
export const selectPermission = defineInSource(['public', 'dbo', 'dataset'], (family) => ({
  kind: 'SelectPermission',
  type: 'select_permission',
  description: 'Which columns and rows of a table a role may read.',
  inputs: {
    ...inTable(family),
    ...forRole,
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
  codecs: { all_columns: { encode: (all) => (all === true ? '*' : undefined), decode: (columns) => columns === '*' } },
  exactlyOne: [['columns', 'all_columns']],
  dependsOn({ source, table }, value) {
    const { permission } = value
    const within = source as Json
    const { computed_fields: computed } = isObject(permission) ? permission : {}
    const fields = Array.isArray(computed) ? (computed as readonly Json[]) : []
    return [
      ...fields.map(
        (name) =>
          ({
            to: 'computed-field',
            source: within,
            table: table as Json,
            name,
            attribute: ['computed_fields'],
          }) as const,
      ),
      ...referencesOfConditions(within, table as Json, value),
    ]
  },
  create: (now, place) => [family.op('create_select_permission', { ...place, ...now })],
  update(old, now, place) {
    const { role = null, comment: text = null } = now
    return onlyChanged(old, now, 'comment')
      ? [family.op('set_permission_comment', { ...place, role, type: 'select', comment: text })]
      : [
          family.op('drop_select_permission', { ...place, role }),
          family.op('create_select_permission', { ...place, ...now }),
        ]
  },
  delete: ({ role = null }, place) => [family.op('drop_select_permission', { ...place, role })],
}))

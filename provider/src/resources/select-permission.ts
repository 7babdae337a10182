import './attribute-meta.ts'
import type { Json } from '@svc/schema'
import { z } from 'zod'
import { columnNames } from './column-names.ts'
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
    columns: columnNames('Columns it may read. Either this or `all_columns`.', 'permission.columns'),
    all_columns: z.boolean().default(false).meta({
      description: 'All columns, also those that the table gets later. Either this or `columns`.',
      at: 'permission.columns',
    }),
    computed_fields: columnNames('Computed fields it may read.', 'permission.computed_fields'),
    filter: z.unknown().meta({
      description: 'Condition of the rows it may read, as JSON. `{}`: all rows.',
      json: true,
      at: 'permission.filter',
    }),
    limit: z.int().min(0, 'must not be negative').optional().meta({
      description: 'Most rows of one answer.',
      at: 'permission.limit',
    }),
    allow_aggregations: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether it may count and aggregate.', at: 'permission.allow_aggregations' }),
    query_root_fields: z
      .array(z.enum(['select', 'select_by_pk', 'select_aggregate']))
      .optional()
      .meta({
        description: 'Root fields of queries it may use. Without it all, an empty list none.',
        set: true,
        at: 'permission.query_root_fields',
      }),
    subscription_root_fields: z
      .array(z.enum(['select', 'select_by_pk', 'select_aggregate', 'select_stream']))
      .optional()
      .meta({
        description: 'Root fields of subscriptions it may use. Without it all, an empty list none.',
        set: true,
        at: 'permission.subscription_root_fields',
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

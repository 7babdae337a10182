import './attribute-meta.ts'
import type { Json } from '@svc/schema'
import { z } from 'zod'
import { defineInSource } from './define-resource.ts'
import {
  comment,
  functionName,
  inTable,
  isObject,
  onlyIn,
  tableIdentity,
  tableName,
  tableReference,
} from './in-table.ts'

/** A field that a function computes from a row (reference/metadata-operations#computed-fields). */
export const computedField = defineInSource(['public', 'dataset'], (family) => ({
  kind: 'ComputedField',
  type: 'computed_field',
  description: 'A field of a table that a function of the database computes from the row: a scalar, or rows.',
  inputs: {
    ...inTable(family),
    name: z
      .string()
      .min(1, 'must not be empty')
      .meta({ description: 'Its name, which is also its field.', replace: true }),
    function: functionName(family).meta({
      description:
        'The function in the database. It takes a row of the table; on BigQuery, what `argument_mapping` says.',
      at: 'definition.function',
    }),
    table_argument: z.string().optional().meta({
      description: 'Its argument that gets the row. Without it, the first.',
      at: 'definition.table_argument',
    }),
    session_argument: z.string().optional().meta({
      description: 'Its argument, of type json or jsonb, that gets the session variables.',
      at: 'definition.session_argument',
    }),
    argument_mapping: z.record(z.string(), z.string()).optional().meta({
      description: 'On BigQuery: arguments of the function, and the columns of the table that they are given.',
      at: 'definition.argument_mapping',
    }),
    return_table: tableName(family).optional().meta({
      description: 'On BigQuery: the tracked table of its rows, unless the function itself says what they consist of.',
      at: 'definition.return_table',
    }),
    comment,
  },
  identity: [...tableIdentity(family), 'name'],
  example: ['default', 'public', 'album', 'duration'],
  standsBeside: true,
  codecs: {
    table_argument: onlyIn(family, ['public'], 'table_argument', 'computed fields of PostgreSQL'),
    session_argument: onlyIn(family, ['public'], 'session_argument', 'computed fields of PostgreSQL'),
    argument_mapping: onlyIn(family, ['dataset'], 'argument_mapping', 'computed fields of BigQuery'),
    return_table: onlyIn(family, ['dataset'], 'return_table', 'computed fields of BigQuery'),
  },
  dependsOn: ({ source }, { definition }) =>
    isObject(definition) ? tableReference(source as Json, definition.return_table, 'return_table') : [],
  create: (now, place) => [family.op('add_computed_field', { ...place, ...now })],
  update: (old, now, place) => [
    family.op('drop_computed_field', { ...place, name: old.name ?? null }),
    family.op('add_computed_field', { ...place, ...now }),
  ],
  delete: ({ name = null }, place) => [family.op('drop_computed_field', { ...place, name })],
}))

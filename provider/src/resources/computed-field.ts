import './attribute-meta.ts'
import { z } from 'zod'
import { defineResource } from './define-resource.ts'
import { comment, functionName, inTable } from './in-table.ts'
import { op } from './operation.ts'

/** A field that a function computes from a row (reference/metadata-operations#computed-fields). */
export const computedField = defineResource({
  kind: 'ComputedField',
  type: 'computed_field',
  description: 'A field of a table that a function of the database computes from the row: a scalar, or rows.',
  inputs: {
    ...inTable,
    name: z
      .string()
      .min(1, 'must not be empty')
      .meta({ description: 'Its name, which is also its field.', replace: true }),
    function: functionName().meta({
      description: 'The function in the database. It takes a row of the table.',
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
    comment,
  },
  identity: ['source', 'table.schema', 'table.name', 'name'],
  example: ['default', 'public', 'album', 'duration'],
  standsBeside: true,
  create: (now, place) => [op('pg_add_computed_field', { ...place, ...now })],
  update: (old, now, place) => [
    op('pg_drop_computed_field', { ...place, name: old.name ?? null }),
    op('pg_add_computed_field', { ...place, ...now }),
  ],
  delete: ({ name = null }, place) => [op('pg_drop_computed_field', { ...place, name })],
})

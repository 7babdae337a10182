import { isRecord, type Json } from '@svc/schema'
import { identifying, within } from './attributes-of.ts'
import { defineInSource } from './define-resource.ts'
import { comment, functionName, inTable, onlyIn, tableIdentity, tableName, tableReference } from './in-table.ts'

/** Of sources of one kind; in all others it is refused at its attribute. */
const text = { type: 'string', optional: true } as const

/** A field that a function computes from a row (reference/metadata-operations#computed-fields). */
export const computedField = defineInSource(['public', 'dataset'], (family) => ({
  kind: 'ComputedField',
  type: 'computed_field',
  description: 'A field of a table that a function of the database computes from the row: a scalar, or rows.',
  inputs: {
    ...inTable(family),
    name: identifying('Its name, which is also its field.'),
    ...within('definition', {
      function: functionName(
        'The function in the database. It takes a row of the table; on BigQuery, what `argument_mapping` says.',
        family,
      ),
      table_argument: { ...text, description: 'Its argument that gets the row. Without it, the first.' },
      session_argument: {
        ...text,
        description: 'Its argument, of type json or jsonb, that gets the session variables.',
      },
      argument_mapping: {
        description: 'On BigQuery: arguments of the function, and the columns of the table that they are given.',
        type: { kind: 'map', of: { kind: 'string' } },
        optional: true,
      },
      return_table: {
        ...tableName(
          'On BigQuery: the tracked table of its rows, unless the function itself says what they consist of.',
          family,
        ),
        optional: true,
      },
    }),
    comment,
  },
  identity: [...tableIdentity(family), 'name'],
  example: ['default', 'public', 'album', 'duration'],
  createBeforeDelete: true,
  codecs: {
    table_argument: onlyIn(family, ['public'], 'table_argument', 'computed fields of PostgreSQL'),
    session_argument: onlyIn(family, ['public'], 'session_argument', 'computed fields of PostgreSQL'),
    argument_mapping: onlyIn(family, ['dataset'], 'argument_mapping', 'computed fields of BigQuery'),
    return_table: onlyIn(family, ['dataset'], 'return_table', 'computed fields of BigQuery'),
  },
  dependsOn: ({ source }, { definition }) =>
    isRecord(definition) ? tableReference(source as Json, definition.return_table, 'return_table') : [],
  ...family.operations('add_computed_field', null, 'drop_computed_field', 'name'),
}))

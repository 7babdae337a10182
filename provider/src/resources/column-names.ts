import type { Inputs } from './attributes-of.ts'

/** The columns that a permission is for: their names, or all of them. */
export const columnsOrAll = (what: string): Inputs => ({
  columns: { description: `Columns it may ${what}. Either this or \`all_columns\`.`, set: true },
  all_columns: {
    description: 'All columns, also those that the table gets later. Either this or `columns`.',
    type: 'boolean',
    default: false,
    at: 'columns',
  },
})

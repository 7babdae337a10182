import type { InputDeclaration, Inputs } from './attributes-of.ts'

/** Whether what is said of `columns` is said of all that there are in `within`. */
export const allOf = (columns: string, within: string): InputDeclaration => ({
  description: `All ${columns}, also those that ${within} gets later. Either this or \`columns\`.`,
  type: 'boolean',
  default: false,
})

/** The columns that a permission is for: their names, or all of them. */
export const columnsOrAll = (what: string, columns = 'Columns', within = 'the table'): Inputs => ({
  columns: { description: `${columns} it may ${what}. Either this or \`all_columns\`.`, set: true },
  all_columns: { ...allOf(columns.toLowerCase(), within), at: 'columns' },
})

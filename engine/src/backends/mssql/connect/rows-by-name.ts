import type { CatalogueRow } from '../introspect/tables-of.ts'
import type { ResultSet } from './run-request.ts'

/** The rows of each set, by the names of their columns. */
export const rowsByName = (sets: readonly ResultSet[]): readonly (readonly CatalogueRow[])[] =>
  sets.map(({ columns, rows }) => rows.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, row[i]]))))

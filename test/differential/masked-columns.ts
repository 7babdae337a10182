import type { View } from './oracle-view.ts'
import type { Column, Row, Table } from './world.ts'

/** Columns that some row which the role sees has a value in that it does not see. */
export function maskedColumns(view: View, table: Table, columns: readonly Column[]): readonly string[] {
  const rows = view.visible(table, table.rows)
  const isMasked = (row: Row, name: string) =>
    row[name] !== null && view.cell(table, row, name, row[name] ?? null) === null
  return columns.filter(({ name }) => rows.some((row) => isMasked(row, name))).map(({ name }) => name)
}

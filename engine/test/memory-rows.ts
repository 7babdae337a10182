/** Rows of the backend in memory (memory-backend.ts), and what a query finds in them. */
import type { BooleanExpression, Join, RowField, Value } from '../src/ir/index.ts'

export type MemoryRow = Readonly<Record<string, string | number | null>>

/** Tables by name: their columns with their types, their key, and their rows. */
export type MemoryTables = Readonly<
  Record<string, { readonly columns: Readonly<Record<string, 'text' | 'int4'>>; readonly rows: readonly MemoryRow[] }>
>

export type TextOf = (value: Value) => string | null

export const rowsOf = (tables: MemoryTables, name: string): readonly MemoryRow[] => tables[name]?.rows ?? []

export function shown(row: MemoryRow, fields: readonly RowField[], tables: MemoryTables, textOf: TextOf): object {
  return Object.fromEntries(fields.map((field) => [field.as, fieldValue(row, field, tables, textOf)]))
}

function fieldValue(row: MemoryRow, field: RowField, tables: MemoryTables, textOf: TextOf): unknown {
  switch (field.kind) {
    case 'typename':
      return field.name
    case 'column':
      return field.of.kind === 'column' ? row[field.of.name] : null
    case 'object': {
      const [found] = joined(row, field.join, tables).filter((one) => satisfies(one, field.where, textOf))
      return found ? shown(found, field.fields, tables, textOf) : null
    }
    case 'array':
      return joined(row, field.join, tables)
        .filter((one) => satisfies(one, field.rows.where, textOf))
        .map((one) => shown(one, field.fields, tables, textOf))
    default:
      throw new Error(`a database in memory has no ${field.kind}`)
  }
}

const joined = (row: MemoryRow, { table, columns }: Join, tables: MemoryTables): readonly MemoryRow[] =>
  rowsOf(tables, table.name).filter((one) => columns.every(({ from, to }) => one[to] === row[from]))

export function satisfies(row: MemoryRow, e: BooleanExpression, textOf: TextOf): boolean {
  switch (e.kind) {
    case 'and':
      return e.of.every((part) => satisfies(row, part, textOf))
    case 'or':
      return e.of.some((part) => satisfies(row, part, textOf))
    case 'not':
      return !satisfies(row, e.of, textOf)
    case 'rooted':
      return satisfies(row, e.of, textOf)
    case 'compare': {
      const own = e.left.kind === 'column' ? row[e.left.name] : null
      return e.operator === 'eq' && e.right.every((value) => String(own) === textOf(value))
    }
    default:
      throw new Error(`a database in memory does not evaluate ${e.kind}`)
  }
}

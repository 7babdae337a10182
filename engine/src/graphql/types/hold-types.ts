import type { TableTypes } from './table-types.ts'

/** The number of tables, columns and relationships whose types are kept, about half a kilobyte for each. */
const most = 20_000

const held = new Set<TableTypes>()
let weight = 0

/**
 * Keeps types from being collected until those of many others were used. They are made in microseconds, and every role
 * has its own: stored with the model, those of 1,000 tables and ten roles took 70 MB.
 */
export function holdTypes(types: TableTypes): TableTypes {
  if (held.delete(types)) weight -= weightOf(types)
  held.add(types)
  weight += weightOf(types)
  for (const oldest of held) {
    if (weight <= most || oldest === types) break
    held.delete(oldest)
    weight -= weightOf(oldest)
  }
  return types
}

const weightOf = ({ table, targets }: TableTypes): number => 1 + table.columns.length + targets.size

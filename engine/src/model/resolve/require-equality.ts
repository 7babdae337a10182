import { definitionError } from './resolution-error.ts'
import type { TableShape } from './table-shape.ts'

/** Throws a ResolutionError at `at` for a column whose values no join can compare, of type json or xml say. */
export function requireEquality({ columns, types }: TableShape, name: string, at: readonly (string | number)[]): void {
  const type = columns.get(name)?.type
  if (type && !types.hasEquality(type))
    throw definitionError(`the column "${name}" is of type ${type.name}, whose values cannot be joined on`, at)
}

import type { Operand } from '../../ir/index.ts'
import type { ResolvedColumn } from '../../model/index.ts'

/** A column of the current row. */
export const columnOperand = (column: ResolvedColumn): Operand => ({
  kind: 'column',
  of: 'row',
  name: column.name,
  type: column.type,
})

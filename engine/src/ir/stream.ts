/**
 * Rows in the order of one column, from behind a value that moves on with each batch (reference/subscriptions#streams).
 */
import type { BooleanExpression, Operand, QualifiedName } from './boolean-expression.ts'
import type { RowField } from './select.ts'
import type { Value } from './values.ts'

export interface StreamQuery {
  readonly from: QualifiedName
  /** Permission filter and `where` together, the former under `rooted`. */
  readonly where: BooleanExpression
  readonly cursor: {
    readonly of: Operand
    readonly direction: 'asc' | 'desc'
    /** Its slot takes the value that the batch before ended with. */
    readonly initial: Value
  }
  /** Rows of a batch at least, where there are as many: those that are equal to the last one belong to it. */
  readonly batchSize: Value
  readonly permissionLimit: number | null
  readonly fields: readonly RowField[]
}

import { type BooleanExpression, isAlways, type Operand } from '../../ir/index.ts'
import type { RoleColumn } from '../types/role-table.ts'

/** Returns a column of the current row, as far as the role sees it (reference/queries#masking). */
export const columnOperand = ({ name, type, mask }: RoleColumn): Operand =>
  masked({ kind: 'column', of: 'row', name, type }, mask)

/** Returns a value that is NULL where the mask is not true. A mask of null: the value is seen in every row. */
export const masked = (of: Operand, mask: BooleanExpression | null): Operand =>
  mask === null || isAlways(mask) ? of : { kind: 'masked', of, where: mask }

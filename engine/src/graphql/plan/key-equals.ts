import type { Path } from '../../errors.ts'
import type { BooleanExpression } from '../../ir/index.ts'
import type { Context } from '../selection/context.ts'
import type { RawInput } from '../selection/input.ts'
import { enumType } from '../types/column-type.ts'
import type { NamedTypes } from '../types/named-types.ts'
import type { RoleColumn } from '../types/role-table.ts'
import { columnOperand } from './column-operand.ts'
import { requiredEnumOperand } from './enum-value.ts'
import { requiredScalarValue } from './scalar-value.ts'

/** Plans the condition that a column of a key equals the client's value. */
export function keyEquals(
  context: Context,
  column: RoleColumn,
  given: RawInput,
  types: NamedTypes,
  path: Path,
): BooleanExpression {
  const type = { type: column.type, list: false }
  const value = column.enumType
    ? requiredEnumOperand(context, given, enumType(column.enumType), type, path)
    : requiredScalarValue(context, given, types, type, path)
  return { kind: 'compare', left: columnOperand(column), operator: 'eq', right: [value], nullSafe: false }
}

import type { Path } from '../../errors.ts'
import type { BooleanExpression, Value } from '../../ir/index.ts'
import type { ResolvedColumn } from '../../model/index.ts'
import type { Context } from '../selection/context.ts'
import { type RawInput, unexpectedNull } from '../selection/input.ts'
import { columnTypeRef, enumType } from '../types/column-type.ts'
import type { NamedTypes } from '../types/named-types.ts'
import type { RoleColumn } from '../types/role-table.ts'
import { columnOperand } from './column-operand.ts'
import { enumOperand } from './enum-value.ts'
import { scalarValue } from './scalar-value.ts'

/** Plans the client's value for a column, or a list of them: of the column's enum where it has one. Null: null. */
export function columnValue(
  context: Context,
  types: NamedTypes,
  { type, enumType: of }: Pick<ResolvedColumn, 'type' | 'enumType'>,
  raw: RawInput,
  path: Path,
  { list = false, required = false } = {},
): Value | null {
  return of
    ? enumOperand(context, raw, enumType(of), { type, list }, path, required)
    : scalarValue(context, raw, types, { type, list }, path, { required })
}

/** Plans the condition that a column of a key equals the client's value, which may not be null. */
export function keyEquals(
  context: Context,
  column: RoleColumn,
  raw: RawInput,
  types: NamedTypes,
  path: Path,
): BooleanExpression {
  const value = columnValue(context, types, column, raw, path, { required: true })
  if (value === null) throw unexpectedNull(columnTypeRef(types, column), path)
  return { kind: 'compare', left: columnOperand(column), operator: 'eq', right: [value], nullSafe: false }
}

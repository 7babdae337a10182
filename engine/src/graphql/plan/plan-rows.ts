import type { Path } from '../../errors.ts'
import { allOf, type Operand, type Rows } from '../../ir/index.ts'
import { type GivenArgument, openArgument } from '../selection/arguments.ts'
import type { Context } from '../selection/context.ts'
import { isNull, listEntries, open, type RawInput, rawOf } from '../selection/input.ts'
import type { RoleColumn } from '../types/role-table.ts'
import { columnEnum } from '../types/select-arguments.ts'
import type { TableTypes } from '../types/table-types.ts'
import { listOf, nonNull, refTo } from '../types/type.ts'
import { columnOperand } from './column-operand.ts'
import { enumValue } from './enum-value.ts'
import { intValue } from './int-value.ts'
import { checkDistinctOrder, planOrder } from './plan-order.ts'
import { planWhere } from './plan-where.ts'

/**
 * Plans distinct_on, limit, offset, order_by and where of a field, with the permission's filter and limit
 * (reference/graphql-schema#object-types, reference/queries#limits-of-permissions). An explicit null of these five is
 * absent.
 */
export function planRows(
  context: Context,
  types: TableTypes,
  args: ReadonlyMap<string, GivenArgument>,
  path: Path,
): Rows {
  const { table } = types
  const limit = args.get('limit')
  const offset = args.get('offset')
  const { where, orderBy, distinctOn, permissionLimit } = planOrderedRows(context, types, args, path)
  return {
    where,
    orderBy,
    distinctOn: distinctOn.map(columnOperand),
    limit: limit ? intValue(context, limit.raw, table.types, 'limit', limit.path) : null,
    offset: offset ? intValue(context, offset.raw, table.types, 'offset', offset.path) : null,
    permissionLimit,
  }
}

/** Plans the same rows before they are cut. */
export function planOrderedRows(
  context: Context,
  types: TableTypes,
  args: ReadonlyMap<string, GivenArgument>,
  path: Path,
) {
  const { table } = types
  const where = args.get('where')
  const orderBy = args.get('order_by')
  const distinct = args.get('distinct_on')
  const filters = [table.filter]
  if (where) {
    const input = openArgument(context, where)
    if (!isNull(input)) filters.push(planWhere(context, types, rawOf(input), where.path))
  }
  const order = orderBy ? planOrder(context, types, orderBy.raw, orderBy.path) : []
  const distinctOn = distinct ? planColumns(context, types, distinct.raw, distinct.path, true) : []
  checkDistinctOrder(
    distinctOn.map(({ name }) => name),
    order,
    path.at('args'),
  )
  return { where: allOf(filters), orderBy: order, distinctOn, permissionLimit: table.limit }
}

/** Reads a list of `T_select_column`, each once. `nullable`: null is none. Throws validation-failed. */
export function planColumns(
  context: Context,
  types: TableTypes,
  raw: RawInput,
  path: Path,
  nullable: boolean,
): readonly RoleColumn[] {
  const type = columnEnum(types.table)
  if (!type) return []
  const element = nonNull(refTo(type))
  const input = open(context, raw, listOf(element), false, path)
  if (nullable && isNull(input)) return []
  const columns = new Set<RoleColumn>()
  for (const entry of listEntries(context, input, path)) {
    const value = enumValue(context, open(context, entry.raw, element, false, entry.path), type, entry.path)
    const column = types.table.columns.find(({ field }) => field === value)
    if (column) columns.add(column)
  }
  return [...columns]
}

/** Reads a value of `T_select_column`; null is none. Throws validation-failed. */
export function planColumn(context: Context, types: TableTypes, raw: RawInput, path: Path): readonly RoleColumn[] {
  const type = columnEnum(types.table)
  const input = type && open(context, raw, refTo(type), false, path)
  if (!input || isNull(input)) return []
  const value = enumValue(context, input, type, path)
  return types.table.columns.filter(({ field }) => field === value)
}

export const columnOperands = (columns: readonly RoleColumn[]): readonly Operand[] => columns.map(columnOperand)

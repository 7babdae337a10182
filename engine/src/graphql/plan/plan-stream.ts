import { invalid, type Path } from '../../errors.ts'
import type { StreamQuery, Value } from '../../ir/index.ts'
import { type GivenArgument, openArgument, requiredArgument } from '../selection/arguments.ts'
import type { Context } from '../selection/context.ts'
import { isNull, listEntries, open, type RawInput, rawOf, unexpectedNull } from '../selection/input.ts'
import type { SelectedField } from '../selection/selected-fields.ts'
import { innerName } from '../types/named-types.ts'
import type { RoleColumn } from '../types/role-table.ts'
import { intRef } from '../types/scalar-types.ts'
import { cursorOrderings, streamInputs } from '../types/stream-types.ts'
import type { TableTypes } from '../types/table-types.ts'
import { type InputType, listOf, nonNull, refTo } from '../types/type.ts'
import { columnOperand } from './column-operand.ts'
import { columnValue } from './column-value.ts'
import { enumValue } from './enum-value.ts'
import { planInputFields } from './input-field.ts'
import { intValue } from './int-value.ts'
import { planRowFields } from './plan-row-fields.ts'
import { planOrderedRows } from './plan-rows.ts'
import { constantValue } from './scalar-value.ts'

/**
 * Plans `T_stream` (reference/subscriptions#streams). Throws validation-failed at the arguments for anything but one
 * column of a cursor.
 */
export function planStream(context: Context, types: TableTypes, selected: SelectedField<unknown>): StreamQuery {
  const { args, selections, path } = selected
  const { where, permissionLimit } = planOrderedRows(context, types, args, path)
  return {
    from: types.table.table.table,
    where,
    cursor: planCursor(context, types, requiredArgument(selected, 'cursor'), path.at('args')),
    batchSize: planBatchSize(context, types, requiredArgument(selected, 'batch_size')),
    permissionLimit,
    fields: planRowFields(context, types, selections, path),
  }
}

function planBatchSize(context: Context, { table }: TableTypes, given: GivenArgument): Value {
  const size = intValue(context, rawOf(openArgument(context, given)), table.types, 'limit', given.path)
  if (size === null) throw unexpectedNull(nonNull(intRef), given.path)
  return size
}

interface CursorColumn {
  readonly column: RoleColumn
  readonly value: Value
  readonly direction: 'asc' | 'desc'
}

/** The columns of all entries count together; null entries do not. */
function planCursor(
  context: Context,
  types: TableTypes,
  { raw, path }: GivenArgument,
  at: Path,
): StreamQuery['cursor'] {
  const [type, values] = streamInputs(types.table)
  const element = refTo(type)
  const input = open(context, raw, nonNull(listOf(element)), false, path)
  const columns = listEntries(context, input, path).flatMap((entry) => {
    const one = open(context, entry.raw, element, false, entry.path)
    return isNull(one) ? [] : planEntry(context, types, type, values, rawOf(one), entry.path)
  })
  const [first, second] = columns
  if (!first) throw invalid(at, 'one streaming column field is expected')
  if (second) throw invalid(at, 'multiple column cursors are not supported yet')
  return { of: columnOperand(first.column), direction: first.direction, initial: first.value }
}

function planEntry(
  context: Context,
  types: TableTypes,
  type: InputType<null>,
  values: InputType<null>,
  raw: RawInput,
  path: Path,
): readonly CursorColumn[] {
  const named = types.table.types
  const input = open(context, raw, refTo(type), false, path)
  const entries = new Map(planInputFields(context, type, input, path, ({ name }, of) => [name, of] as const))
  const initialName = innerName(named, 'initial_value')
  const initial = entries.get(initialName)
  if (!initial) throw invalid(path.at(initialName), `missing required field '${initialName}'`)
  const ordering = entries.get('ordering')
  const direction = ordering ? planDirection(context, types, ordering, path.at('ordering')) : 'asc'
  const at = path.at(initialName)
  const value = open(context, initial, nonNull(refTo(values)), false, at)
  if (isNull(value)) throw unexpectedNull(nonNull(refTo(values)), at)
  return planInputFields(context, values, value, at, ({ name }, of, atColumn) => {
    const column = types.table.columns.find(({ field }) => field === name)
    if (!column) throw new Error(`the cursor of ${types.table.name} has no column ${name}`)
    return { column, value: initialValue(context, types, column, of, atColumn), direction }
  })
}

/** Plans where a stream begins. Behind NULL there are no rows. */
function initialValue(context: Context, types: TableTypes, column: RoleColumn, raw: RawInput, path: Path): Value {
  const { types: named } = types.table
  const value = columnValue(context, named, column, raw, path)
  return value ?? constantValue(named, { type: column.type, list: false }, null, path)
}

function planDirection(context: Context, { table }: TableTypes, raw: RawInput, path: Path): 'asc' | 'desc' {
  const type = cursorOrderings[table.types.convention]
  const input = open(context, raw, refTo(type), false, path)
  return !isNull(input) && enumValue(context, input, type, path) === 'DESC' ? 'desc' : 'asc'
}

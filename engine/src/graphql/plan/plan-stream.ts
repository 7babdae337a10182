import { invalid, type Path } from '../../errors.ts'
import type { StreamQuery, Value } from '../../ir/index.ts'
import type { GivenArgument } from '../selection/arguments.ts'
import type { Context } from '../selection/context.ts'
import { isNull, listEntries, objectEntries, open, type RawInput, rawOf, unexpectedNull } from '../selection/input.ts'
import type { SelectedField } from '../selection/selected-fields.ts'
import { enumType } from '../types/column-type.ts'
import { innerName } from '../types/named-types.ts'
import type { RoleColumn } from '../types/role-table.ts'
import { intRef } from '../types/scalar-types.ts'
import { cursorOrderings, streamInputs } from '../types/stream-types.ts'
import type { TableTypes } from '../types/table-types.ts'
import { type InputType, listOf, nonNull, refTo } from '../types/type.ts'
import { columnOperand } from './column-operand.ts'
import { enumOperand, enumValue } from './enum-value.ts'
import { inputField } from './input-field.ts'
import { limitValue } from './int-value.ts'
import { planRowFields } from './plan-row-fields.ts'
import { planOrderedRows } from './plan-rows.ts'
import { constantValue, scalarValue } from './scalar-value.ts'

/**
 * Plans `T_stream` (reference/subscriptions#streams). Throws validation-failed at the arguments for anything but one
 * column of a cursor.
 */
export function planStream(
  context: Context,
  types: TableTypes,
  { args, selections, path }: SelectedField<unknown>,
): StreamQuery {
  const { where, permissionLimit } = planOrderedRows(context, types, args, path)
  return {
    from: types.table.table.table,
    where,
    cursor: planCursor(context, types, given(args, 'cursor', path), path.at('args')),
    batchSize: planBatchSize(context, types, given(args, 'batch_size', path)),
    permissionLimit,
    fields: planRowFields(context, types, selections, path),
  }
}

function given(args: ReadonlyMap<string, GivenArgument>, name: string, path: Path): GivenArgument {
  const argument = args.get(name)
  if (!argument) throw invalid(path.at('args', name), `missing required field '${name}'`)
  return argument
}

function planBatchSize(context: Context, { table }: TableTypes, { raw, field, path }: GivenArgument): Value {
  const size = limitValue(context, rawOf(open(context, raw, field.type, false, path)), table.types, path)
  if (size === null) throw unexpectedNull(nonNull(intRef), path)
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
  const entries = new Map(
    objectEntries(context, open(context, raw, refTo(type), false, path), type.name, path).map(({ key, raw: value }) => {
      inputField(type, key, path.at(key))
      return [key, value] as const
    }),
  )
  const initialName = innerName(named, 'initial_value')
  const initial = entries.get(initialName)
  if (!initial) throw invalid(path.at(initialName), `missing required field '${initialName}'`)
  const ordering = entries.get('ordering')
  const direction = ordering ? planDirection(context, types, ordering, path.at('ordering')) : 'asc'
  const at = path.at(initialName)
  const value = open(context, initial, nonNull(refTo(values)), false, at)
  if (isNull(value)) throw unexpectedNull(nonNull(refTo(values)), at)
  return objectEntries(context, value, values.name, at).map(({ key, raw: of }) => {
    inputField(values, key, at.at(key))
    const column = types.table.columns.find(({ field }) => field === key)
    if (!column) throw new Error(`the cursor of ${types.table.name} has no column ${key}`)
    return { column, value: initialValue(context, types, column, of, at.at(key)), direction }
  })
}

/** NULL is behind no value: nothing comes then. */
function initialValue(context: Context, types: TableTypes, column: RoleColumn, raw: RawInput, path: Path): Value {
  const type = { type: column.type, list: false }
  const value = column.enumType
    ? enumOperand(context, raw, enumType(column.enumType), type, path)
    : scalarValue(context, raw, types.table.types, type, path)
  return value ?? constantValue(types.table.types, type, null, path)
}

function planDirection(context: Context, { table }: TableTypes, raw: RawInput, path: Path): 'asc' | 'desc' {
  const type = cursorOrderings[table.types.convention]
  const input = open(context, raw, refTo(type), false, path)
  return !isNull(input) && enumValue(context, input, type, path) === 'DESC' ? 'desc' : 'asc'
}

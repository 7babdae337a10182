import { invalid, type Path } from '../../errors.ts'
import type { Assignment } from '../../ir/index.ts'
import type { Context } from '../selection/context.ts'
import { isNull, objectEntries, open, type RawInput, unexpectedNull } from '../selection/input.ts'
import { enumType } from '../types/column-type.ts'
import { refTo, type TypeRef } from '../types/type.ts'
import type { UpdateGrant } from '../types/write-table.ts'
import type { OperatorInput, OperatorMeaning, WriteTypes } from '../types/write-types.ts'
import { enumOperand } from './enum-value.ts'
import { inputField } from './input-field.ts'
import { constantValue, scalarValue } from './scalar-value.ts'

export interface GivenOperator {
  readonly of: OperatorInput
  readonly raw: RawInput
  readonly path: Path
}

/**
 * Plans what an update sets, presets last (reference/mutations#update). Without an operator of the client an update
 * sets nothing, except its presets where there are some. Throws validation-failed at `path` for a column that two
 * operators name.
 */
export function planAssignments(
  context: Context,
  types: WriteTypes,
  grant: UpdateGrant,
  operators: readonly GivenOperator[],
  path: Path,
): readonly Assignment[] {
  const assignments: Assignment[] = []
  for (const { of, raw, path: at } of operators) {
    const input = open(context, raw, refTo(of.type), false, at)
    if (isNull(input)) continue
    for (const { key, raw: value } of objectEntries(context, input, of.type.name, at)) {
      const field = inputField(of.type, key, at.at(key))
      const { column } = field.meaning
      assignments.push({
        column: column.name,
        operator: of.operator,
        value: assignedValue(context, types, of, field.meaning, field.type, value, at.at(key)),
      })
    }
  }
  refuseRepeated(assignments, types, path)
  return [...assignments, ...grant.presets.map(({ column, value }): Assignment => ({ column, operator: 'set', value }))]
}

function assignedValue(
  context: Context,
  types: WriteTypes,
  { operator }: OperatorInput,
  { column, type }: OperatorMeaning,
  ref: TypeRef,
  raw: RawInput,
  path: Path,
) {
  const valueType = { type, list: false }
  const { types: named } = types.table
  const value =
    column.enumType && operator === 'set'
      ? enumOperand(context, raw, enumType(column.enumType), valueType, path)
      : scalarValue(context, raw, named, valueType, path, { required: false, ref })
  if (value) return value
  if (operator !== 'set' || !column.nullable) throw unexpectedNull(ref, path)
  return constantValue(named, valueType, null, path)
}

function refuseRepeated(assignments: readonly Assignment[], types: WriteTypes, path: Path): void {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const { column } of assignments) {
    if (seen.has(column)) repeated.add(column)
    seen.add(column)
  }
  if (repeated.size === 0) return
  const names = [...repeated].map((name) => `'${types.table.table.columnsByName.get(name)?.field ?? name}'`)
  throw invalid(path, `Column found in multiple operators: [${names.join(', ')}].`)
}

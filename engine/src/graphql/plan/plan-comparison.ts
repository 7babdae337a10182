import type { OperatorArgument, OperatorDeclaration } from '../../backends/index.ts'
import { invalid, type Path } from '../../errors.ts'
import { allOf, always, type BooleanExpression, type Operand, type Value } from '../../ir/index.ts'
import type { ResolvedColumn } from '../../model/index.ts'
import { type Context, deeper } from '../selection/context.ts'
import { booleanValue, isNull, open, type RawInput, unexpectedNull } from '../selection/input.ts'
import { argumentRef, type ComparisonMeaning, columnComparison } from '../types/comparison-type.ts'
import type { NamedTypes } from '../types/named-types.ts'
import type { RoleColumn } from '../types/role-table.ts'
import { booleanRef } from '../types/scalar-types.ts'
import { type InputField, refTo } from '../types/type.ts'
import { columnOperand } from './column-operand.ts'
import { columnValue } from './column-value.ts'
import { planInputFields } from './input-field.ts'
import { intValue } from './int-value.ts'
import { constantValue, scalarValue } from './scalar-value.ts'

/** What stands left of an operator. */
export interface Compared extends Pick<ResolvedColumn, 'type' | 'enumType'> {
  readonly left: Operand
}

export const comparedColumn = (column: RoleColumn): Compared => ({
  left: columnOperand(column),
  type: column.type,
  enumType: column.enumType,
})

/**
 * Plans a `<Scalar>_comparison_exp` (reference/filters#operators). Throws validation-failed at the path of what
 * is wrong.
 */
export function planComparison(
  context: Context,
  types: NamedTypes,
  of: Compared,
  raw: RawInput,
  path: Path,
): BooleanExpression {
  const comparison = columnComparison(types, of)
  const input = open(context, raw, refTo(comparison), false, path)
  return allOf(
    planInputFields(context, comparison, input, path, (field, value, at) =>
      planEntry(context, types, of, field, value, at),
    ),
  )
}

function planEntry(
  context: Context,
  types: NamedTypes,
  of: Compared,
  { meaning, type: wanted }: InputField<ComparisonMeaning>,
  raw: RawInput,
  path: Path,
): BooleanExpression {
  switch (meaning.kind) {
    case 'cast': {
      const input = open(context, raw, wanted, false, path)
      if (isNull(input) && context.settings.booleanNullCollapse) return always
      return deeper(context, path, () =>
        allOf(
          planInputFields(context, meaning.type, input, path, ({ meaning: to }, value, at) => {
            const cast: Compared = { left: { kind: 'cast', of: of.left, to }, type: to, enumType: null }
            return planComparison(context, types, cast, value, at)
          }),
        ),
      )
    }
    case 'arguments': {
      const input = open(context, raw, wanted, false, path)
      if (isNull(input) && context.settings.booleanNullCollapse) return always
      const given = new Map(
        planInputFields(context, meaning.type, input, path, ({ name }, value) => [name, value] as const),
      )
      const right = [...meaning.type.fields.values()].map((field) =>
        planArgument(context, types, field.meaning, given.get(field.name), path.at(field.name)),
      )
      return { kind: 'compare', left: of.left, operator: meaning.name.slice(1), right, nullSafe: false }
    }
    case 'operator': {
      const comparison = planOperator(context, types, of, meaning.operator, raw, path)
      if (comparison) return comparison
      if (context.settings.booleanNullCollapse) return always
      throw unexpectedNull(wanted, path)
    }
  }
}

function planArgument(
  context: Context,
  types: NamedTypes,
  { name, type, required, default: fallback }: OperatorArgument,
  raw: RawInput | undefined,
  path: Path,
): Value {
  const valueType = { type, list: false }
  if (raw) {
    const ref = argumentRef(types, type)
    const value =
      types.graphqlScalar(type) === 'Int'
        ? intValue(context, raw, types, 'int', path, required)
        : scalarValue(context, raw, types, valueType, path, { required, ref })
    if (value) return value
    if (required) throw unexpectedNull(ref, path)
    return constantValue(types, valueType, null, path)
  }
  if (required) throw invalid(path, `missing required field '${name}'`)
  return constantValue(types, valueType, fallback ?? null, path)
}

/** Plans an operator with one value. Returns null where the value is null. */
function planOperator(
  context: Context,
  types: NamedTypes,
  compared: Compared,
  operator: OperatorDeclaration,
  raw: RawInput,
  path: Path,
): BooleanExpression | null {
  const { left } = compared
  const { argument } = operator
  if (argument.kind === 'boolean') {
    const input = open(context, raw, booleanRef, false, path)
    if (isNull(input) && context.settings.booleanNullCollapse) return null
    return { kind: 'is-null', of: left, negated: !booleanValue(context, input, path) }
  }
  const type = argument.kind === 'type' ? argument.type : compared.type
  const list = argument.kind === 'list' || (argument.kind === 'type' && argument.list)
  const value = columnValue(context, types, { type, enumType: compared.enumType }, raw, path, { list })
  return value && { kind: 'compare', left, operator: operator.name.slice(1), right: [value], nullSafe: false }
}

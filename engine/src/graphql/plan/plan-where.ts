/**
 * Recursion: a condition may aggregate related rows (plan-aggregate-predicate.ts, plan-rows.ts), which have conditions of
 * their own.
 */

import type { Path } from '../../errors.ts'
import { allOf, type BooleanExpression } from '../../ir/index.ts'
import { type Context, deeper, useTable } from '../selection/context.ts'
import { listEntries, open, type RawInput, rawOf } from '../selection/input.ts'
import type { BooleanMeaning } from '../types/boolean-type.ts'
import type { TableTypes } from '../types/table-types.ts'
import { type InputField, refTo, type TypeRef } from '../types/type.ts'
import { computedOperand } from './computed-call.ts'
import { planInputFields } from './input-field.ts'
import { planAggregatePredicate } from './plan-aggregate-predicate.ts'
import { comparedColumn, planComparison } from './plan-comparison.ts'

/**
 * Plans a `T_bool_exp` (reference/filters#boolean-expressions-in-graphql). Throws validation-failed at the path
 * of what is wrong.
 */
export function planWhere(context: Context, types: TableTypes, raw: RawInput, path: Path): BooleanExpression {
  return deeper(context, path, () => {
    const type = types.boolean()
    const input = open(context, raw, refTo(type), false, path)
    return allOf(
      planInputFields(context, type, input, path, (field, value, at) => planEntry(context, types, field, value, at)),
    )
  })
}

function planEntry(
  context: Context,
  types: TableTypes,
  { type, meaning }: InputField<BooleanMeaning>,
  raw: RawInput,
  path: Path,
): BooleanExpression {
  switch (meaning.kind) {
    case 'and':
      return allOf(planList(context, types, type, raw, path))
    case 'or':
      return { kind: 'or', of: planList(context, types, type, raw, path) }
    case 'not':
      return { kind: 'not', of: planWhere(context, types, raw, path) }
    case 'column':
      return planComparison(context, types.table.types, comparedColumn(meaning.column), raw, path)
    case 'computed': {
      const of = { left: computedOperand(meaning), type: meaning.type, enumType: null }
      return planComparison(context, types.table.types, of, raw, path)
    }
    case 'computed-rows':
      // the rows that the function returns, whatever the role may see of their table
      // (reference/filters#boolean-expressions-in-graphql)
      return {
        kind: 'exists-computed',
        call: meaning.call,
        where: planWhere(context, useTable(context, meaning.table), raw, path),
      }
    case 'aggregate':
      return planAggregatePredicate(context, meaning.relationship, raw, path)
    case 'relationship': {
      const target = useTable(context, meaning.relationship.target)
      const where = planWhere(context, target, raw, path)
      return { kind: 'exists-related', join: meaning.relationship.join, where: allOf([target.table.filter, where]) }
    }
  }
}

function planList(
  context: Context,
  types: TableTypes,
  type: TypeRef,
  raw: RawInput,
  path: Path,
): readonly BooleanExpression[] {
  const input = open(context, raw, type, false, path)
  const element = type.kind === 'list' ? type.of : type
  return listEntries(context, input, path).map((entry) =>
    planWhere(context, types, rawOf(open(context, entry.raw, element, false, entry.path)), entry.path),
  )
}

import type { SelectionNode } from 'graphql'
import type { Path } from '../../errors.ts'
import type { AggregateField, AggregateValue, Operand, RowField } from '../../ir/index.ts'
import type { Context } from '../selection/context.ts'
import { flagValue } from '../selection/input.ts'
import { type SelectedField, selectedFields } from '../selection/selected-fields.ts'
import type { AggregatedMeaning, AggregateFieldsMeaning, AggregateMeaning } from '../types/aggregate-types.ts'
import type { TableTypes } from '../types/table-types.ts'
import type { ObjectType } from '../types/type.ts'
import { columnOperand } from './column-operand.ts'
import { computedCall, computedOperand } from './computed-call.ts'
import { planRowFields } from './plan-row-fields.ts'
import { columnOperands, planColumn, planColumns } from './plan-rows.ts'

/**
 * Plans the selection set of `T_aggregate` (reference/graphql-schema#generated-types, reference/queries#aggregates).
 */
export function planAggregateFields(
  context: Context,
  types: TableTypes,
  selections: readonly SelectionNode[],
  path: Path,
): readonly AggregateField[] {
  return selectedFields(context, types.aggregate(), selections, path).map((selected): AggregateField => {
    if (selected.kind === 'typename') return selected
    return planAggregateField(context, types, selected)
  })
}

function planAggregateField(
  context: Context,
  types: TableTypes,
  { as, field, selections, path }: SelectedField<AggregateMeaning>,
): AggregateField {
  switch (field.meaning.kind) {
    case 'nodes': {
      const fields: readonly RowField[] = planRowFields(context, types, selections, path)
      return { kind: 'nodes', as, fields }
    }
    case 'aggregate':
      return {
        kind: 'aggregate',
        as,
        fields: selectedFields(context, types.aggregateFields(), selections, path).map((selected) =>
          selected.kind === 'typename' ? selected : planValue(context, types, selected),
        ),
      }
  }
}

function planValue(
  context: Context,
  types: TableTypes,
  selected: SelectedField<AggregateFieldsMeaning>,
): AggregateValue {
  const { meaning } = selected.field
  switch (meaning.kind) {
    case 'count':
      return planCount(context, types, selected)
    case 'operator':
      return {
        kind: 'operator',
        as: selected.as,
        operator: meaning.operator,
        fields: planOperands(context, types, meaning.type, selected),
      }
  }
}

function planOperands(
  context: Context,
  types: TableTypes,
  type: ObjectType<AggregatedMeaning>,
  { selections, path }: SelectedField<AggregateFieldsMeaning>,
) {
  return selectedFields(context, type, selections, path).map((selected) =>
    selected.kind === 'typename'
      ? selected
      : ({ kind: 'value', as: selected.as, of: operandOf(context, types, selected) } as const),
  )
}

function operandOf(context: Context, types: TableTypes, selected: SelectedField<AggregatedMeaning>): Operand {
  const { meaning } = selected.field
  switch (meaning.kind) {
    case 'column':
      return columnOperand(meaning.column)
    case 'computed':
      return computedOperand({ ...meaning, call: computedCall(context, types, meaning.field, selected) })
  }
}

function planCount(
  context: Context,
  types: TableTypes,
  { as, args, path }: SelectedField<AggregateFieldsMeaning>,
): AggregateValue {
  const distinct = args.get('distinct')
  return {
    kind: 'count',
    as,
    of: countedOf(context, types, args),
    distinct: flagValue(context, distinct?.raw, distinct?.path ?? path),
  }
}

/** The columns whose values are counted; none: rows are. */
function countedOf(
  context: Context,
  types: TableTypes,
  args: SelectedField<AggregateFieldsMeaning>['args'],
): readonly Operand[] {
  const [columns, column] = [args.get('columns'), args.get('column')]
  if (column) return columnOperands(planColumn(context, types, column.raw, column.path))
  return columns ? columnOperands(planColumns(context, types, columns.raw, columns.path, false)) : []
}

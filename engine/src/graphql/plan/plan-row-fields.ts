import type { SelectionNode } from 'graphql'
import type { Path } from '../../errors.ts'
import type { RowField } from '../../ir/index.ts'
import type { ResolvedColumn } from '../../model/index.ts'
import type { RowMeaning } from '../types/row-type.ts'
import { stringRef } from '../types/scalar-types.ts'
import type { TableTypes } from '../types/table-types.ts'
import { columnOperand } from './column-operand.ts'
import { type Context, deeper, useTable } from './context.ts'
import { isNull, open, stringValue } from './input.ts'
import { jsonPathKeys } from './json-path.ts'
import { planAggregateFields } from './plan-aggregate-fields.ts'
import { planRows } from './plan-rows.ts'
import { type SelectedField, selectedFields } from './selected-fields.ts'

/** The selection set of a row (spec 02 §1.4), in document order. */
export function planRowFields(
  context: Context,
  types: TableTypes,
  selections: readonly SelectionNode[],
  path: Path,
): readonly RowField[] {
  return deeper(context, path, () =>
    selectedFields(context, types.row(), selections, path).map((selected) =>
      selected.kind === 'typename' ? selected : planRowField(context, selected),
    ),
  )
}

function planRowField(context: Context, selected: SelectedField<RowMeaning>): RowField {
  const { meaning } = selected.field
  switch (meaning.kind) {
    case 'column':
      return planColumn(context, selected, meaning.column)
    case 'relationship': {
      const { join, target } = meaning.relationship
      const types = useTable(context, target)
      const { as, args, selections, path } = selected
      switch (meaning.as) {
        case 'object':
          return {
            kind: 'object',
            as,
            join,
            where: types.table.filter,
            fields: planRowFields(context, types, selections, path),
          }
        case 'array':
          return {
            kind: 'array',
            as,
            join,
            rows: planRows(context, types, args, path),
            fields: planRowFields(context, types, selections, path),
          }
        case 'aggregate':
          return {
            kind: 'aggregate',
            as,
            join,
            rows: planRows(context, types, args, path),
            fields: planAggregateFields(context, types, selections, path),
          }
      }
    }
  }
}

function planColumn(context: Context, { as, args }: SelectedField<RowMeaning>, column: ResolvedColumn): RowField {
  const path = args.get('path')
  const input = path && open(context, path.raw, stringRef, false, path.path)
  const keys = input && !isNull(input) ? jsonPathKeys(stringValue(context, input, path.path), path.path) : []
  return { kind: 'column', as, of: columnOperand(column), path: keys }
}

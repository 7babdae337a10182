/**
 * Recursion: a row has fields that are rows, aggregates or connections of other tables, or joins with remote schemas and
 * other sources, all of which select rows in turn.
 */
import type { SelectionNode } from 'graphql'
import type { Path } from '../../errors.ts'
import { always, type Join, type Operand, type RowField, type Rows } from '../../ir/index.ts'
import { type Context, countLiterals, deeper, useTable } from '../selection/context.ts'
import { isNull, open, stringValue } from '../selection/input.ts'
import { type SelectedField, selectedFields } from '../selection/selected-fields.ts'
import type { JoinMeaning } from '../types/remote-join-types.ts'
import type { RoleColumn } from '../types/role-table.ts'
import type { RowMeaning } from '../types/row-type.ts'
import { stringRef } from '../types/scalar-types.ts'
import type { RowsForm } from '../types/select-arguments.ts'
import type { TableTypes } from '../types/table-types.ts'
import { columnOperand, masked } from './column-operand.ts'
import { computedCall, computedOperand } from './computed-call.ts'
import { jsonPathKeys } from './json-path.ts'
import { nodeIdPrefix } from './node-id.ts'
import { planAggregateFields } from './plan-aggregate-fields.ts'
import { keyOperands, planConnection } from './plan-connection.ts'
import { planJoin } from './plan-join.ts'
import { planQueryText } from './plan-query-text.ts'
import { planRows } from './plan-rows.ts'

/** Plans the selection set of a row (reference/graphql-schema#object-types), in document order. */
export function planRowFields(
  context: Context,
  types: TableTypes,
  selections: readonly SelectionNode[],
  path: Path,
): readonly RowField[] {
  return deeper(context, path, () =>
    selectedFields(context, types.row(), selections, path).flatMap((selected) => {
      if (selected.kind === 'typename') return selected
      const { field } = selected
      const { meaning } = field
      if (meaning.kind === 'remote-join' || meaning.kind === 'table-join')
        return planJoin(context, types, { ...selected, field: { ...field, meaning } })
      return planRowField(context, types, { ...selected, field: { ...field, meaning } })
    }),
  )
}

const allRows: Rows = {
  where: always,
  orderBy: [],
  distinctOn: [],
  limit: null,
  offset: null,
  permissionLimit: null,
}

function planRowField(
  context: Context,
  types: TableTypes,
  selected: SelectedField<Exclude<RowMeaning, JoinMeaning>>,
): RowField {
  const { meaning } = selected.field
  switch (meaning.kind) {
    case 'column':
      return planColumn(context, selected, meaning.column)
    case 'computed': {
      const { field, type } = meaning
      const of = computedOperand({ field, call: computedCall(context, types, field, selected), type })
      return { kind: 'column', as: selected.as, of, path: pathKeys(context, selected) }
    }
    case 'computed-columns': {
      const { field, type } = meaning
      const { as, path } = selected
      return {
        kind: 'computed',
        as,
        call: computedCall(context, types, field, selected),
        table: field.function,
        rows: allRows,
        fields: selectedFields(context, type, selected.selections, path).map((column): RowField => {
          if (column.kind === 'typename') return column
          const { name, type: of } = column.field.meaning
          return { kind: 'column', as: column.as, of: { kind: 'column', of: 'row', name, type: of }, path: [] }
        }),
      }
    }
    case 'computed-rows': {
      const { field } = meaning
      if (field.returns.kind !== 'table') throw new Error(`computed field ${field.name} gives no rows`)
      const target = useTable(context, field.returns.table)
      const { as, args, selections, path } = selected
      const call = computedCall(context, types, field, selected)
      const table = field.returns.of
      if (meaning.as === 'connection') {
        const connection = planConnection(context, target, args, selections, path)
        return { kind: 'computed-connection', as, call, table, connection }
      }
      return {
        kind: 'computed',
        as,
        call,
        table,
        rows: planRows(context, target, args, path),
        fields: planRowFields(context, target, selections, path),
      }
    }
    case 'nested': {
      const { name, list, mask, target } = meaning.rows
      const reached = useTable(context, target)
      const { table, filter, types: known } = reached.table
      const { json } = known.common
      const of: Operand = { kind: 'column', of: 'row', name, type: json }
      return {
        kind: 'nested',
        as: selected.as,
        of: masked(of, mask),
        list,
        table: table.table,
        columns: [
          ...table.columns.map((column) => ({ name: column.name, type: column.type })),
          ...(table.kind === 'table' ? [] : [...table.nestedRows.keys()]).map((inner) => ({ name: inner, type: json })),
        ],
        where: filter,
        fields: planRowFields(context, reached, selected.selections, selected.path),
      }
    }
    case 'placeholder':
      return { kind: 'typename', as: selected.as, name: meaning.text }
    case 'node-id': {
      const { table } = types
      return { kind: 'node-id', as: selected.as, prefix: nodeIdPrefix(table.table), key: keyOperands(table) }
    }
    case 'relationship': {
      const { join: by, target, query } = meaning.relationship
      const reached = useTable(context, target)
      const { as, args, selections, path } = selected
      const join = query
        ? { ...by, query: planQueryText(context, query, args.get('args'), reached.table.types, path) }
        : by
      if (meaning.as !== 'connection') return planJoinedRows(context, reached, meaning.as, join, selected)
      return { kind: 'connection', as, join, connection: planConnection(context, reached, args, selections, path) }
    }
  }
}

/** Plans the rows of a table that a join reaches: the one row, a list of them, or an aggregate. */
export function planJoinedRows(
  context: Context,
  reached: TableTypes,
  form: RowsForm,
  join: Join,
  { as, args, selections, path }: SelectedField<unknown>,
): RowField {
  switch (form) {
    case 'object': {
      const where = reached.table.filter
      return { kind: 'object', as, join, where, fields: planRowFields(context, reached, selections, path) }
    }
    case 'array': {
      const rows = planRows(context, reached, args, path)
      return { kind: 'array', as, join, rows, fields: planRowFields(context, reached, selections, path) }
    }
    case 'aggregate': {
      const rows = planRows(context, reached, args, path)
      return { kind: 'aggregate', as, join, rows, fields: planAggregateFields(context, reached, selections, path) }
    }
  }
}

function planColumn(context: Context, selected: SelectedField<RowMeaning>, column: RoleColumn): RowField {
  const path = pathKeys(context, selected)
  const capitals = column.enumType?.stored ? { capitals: true } : {}
  return { kind: 'column', as: selected.as, of: columnOperand(column), path, ...capitals }
}

/** The `path` into a json value. */
function pathKeys(context: Context, { args }: SelectedField<RowMeaning>): readonly string[] {
  const path = args.get('path')
  const input = path && open(context, path.raw, stringRef, false, path.path)
  if (!input || isNull(input)) return []
  const keys = jsonPathKeys(stringValue(context, input, path.path), path.path)
  countLiterals(context, keys.length, path.path)
  return keys
}

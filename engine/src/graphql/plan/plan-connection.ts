import type { SelectionNode } from 'graphql'
import { invalid, type Path } from '../../errors.ts'
import type { Connection, ConnectionField, CursorKey, EdgeField, Operand } from '../../ir/index.ts'
import type { ResolvedColumn } from '../../model/index.ts'
import { type GivenArgument, openArgument } from '../selection/arguments.ts'
import type { Context } from '../selection/context.ts'
import { isNull, open, stringValue } from '../selection/input.ts'
import { type SelectedField, selectedFields } from '../selection/selected-fields.ts'
import {
  type ConnectionMeaning,
  connectionType,
  type EdgeMeaning,
  edgeType,
  pageInfoType,
} from '../types/relay-types.ts'
import type { RoleTable } from '../types/role-table.ts'
import { stringRef } from '../types/scalar-types.ts'
import type { TableTypes } from '../types/table-types.ts'
import { columnOperand } from './column-operand.ts'
import { cursorValues } from './cursor.ts'
import { intValue } from './int-value.ts'
import { planRowFields } from './plan-row-fields.ts'
import { planOrderedRows } from './plan-rows.ts'

type Arguments = ReadonlyMap<string, GivenArgument>

/**
 * Plans a connection of Relay: rows like those of a list, with a page of them and cursors. Throws validation-failed.
 */
export function planConnection(
  context: Context,
  types: TableTypes,
  args: Arguments,
  selections: readonly SelectionNode[],
  path: Path,
): Connection {
  refuseBoth(context, args, 'after', 'before', path)
  refuseBoth(context, args, 'first', 'last', path)
  const { where, distinctOn, orderBy, permissionLimit } = planOrderedRows(context, types, args, path)
  const keys = withKey(types.table, orderBy.length > 0 ? orderBy : distinctOn.map(inOrder))
  return {
    where,
    distinctOn: distinctOn.map(columnOperand),
    orderBy: keys,
    permissionLimit,
    count: countOf(context, types, args, 'first') ?? countOf(context, types, args, 'last'),
    bound: boundOf(context, types, args, 'after', keys) ?? boundOf(context, types, args, 'before', keys),
    fields: planFields(context, types, selections, path),
  }
}

/** An argument that is neither left out nor null. */
function given(context: Context, args: Arguments, name: string): GivenArgument | null {
  const argument = args.get(name)
  if (!argument) return null
  return isNull(openArgument(context, argument)) ? null : argument
}

function refuseBoth(context: Context, args: Arguments, one: string, other: string, path: Path): void {
  if (given(context, args, one) && given(context, args, other))
    throw invalid(path.at('args'), `"${one}" and "${other}" are not allowed at once`)
}

function countOf(
  context: Context,
  { table }: TableTypes,
  args: Arguments,
  from: 'first' | 'last',
): Connection['count'] {
  const argument = given(context, args, from)
  const of = argument && intValue(context, argument.raw, table.types, 'limit', argument.path)
  return of && { from, of }
}

function boundOf(
  context: Context,
  { table }: TableTypes,
  args: Arguments,
  side: 'after' | 'before',
  orderBy: readonly CursorKey[],
): Connection['bound'] {
  const argument = given(context, args, side)
  if (!argument) return null
  const { raw, path } = argument
  const text = stringValue(context, open(context, raw, stringRef, false, path), path)
  return { side, values: cursorValues(text, orderBy, table.types, path) }
}

const inOrder = (column: ResolvedColumn & Parameters<typeof columnOperand>[0]): CursorKey => ({
  key: { kind: 'operand', of: columnOperand(column) },
  direction: 'asc',
  nulls: 'last',
  names: [column.field],
})

/** The order with the columns of the key that it lacks at its end: so each row has a place of its own. */
function withKey(table: RoleTable, orderBy: readonly CursorKey[]): readonly CursorKey[] {
  const ordered = new Set(orderBy.flatMap(({ names }) => (names.length === 1 ? names : [])))
  const missing = keyColumns(table).filter(({ field }) => !ordered.has(field))
  return [...orderBy, ...missing.map(inOrder)]
}

/**
 * Returns the columns of the key as a role sees them. A key identifies rows for roles as well that may not select it; where
 * it is masked it remains so.
 */
export const keyColumns = ({ table, columns }: RoleTable) =>
  (table.primaryKey ?? []).map(
    (column) => columns.find(({ name }) => name === column.name) ?? { ...column, mask: null },
  )

/** Returns the values of the key, as a role sees them. */
export const keyOperands = (table: RoleTable): readonly Operand[] => keyColumns(table).map(columnOperand)

function planFields(
  context: Context,
  types: TableTypes,
  selections: readonly SelectionNode[],
  path: Path,
): readonly ConnectionField[] {
  return selectedFields(context, connectionType(types), selections, path).map((selected) =>
    selected.kind === 'typename' ? selected : planField(context, types, selected),
  )
}

function planField(
  context: Context,
  types: TableTypes,
  { as, field, selections, path }: SelectedField<ConnectionMeaning>,
): ConnectionField {
  switch (field.meaning) {
    case 'edges':
      return {
        kind: 'edges',
        as,
        fields: selectedFields(context, edgeType(types), selections, path).map((selected) =>
          selected.kind === 'typename' ? selected : planEdgeField(context, types, selected),
        ),
      }
    case 'page-info':
      return {
        kind: 'page-info',
        as,
        fields: selectedFields(context, pageInfoType, selections, path).map((selected) =>
          selected.kind === 'typename' ? selected : { kind: selected.field.meaning, as: selected.as },
        ),
      }
  }
}

function planEdgeField(
  context: Context,
  types: TableTypes,
  { as, field, selections, path }: SelectedField<EdgeMeaning>,
): EdgeField {
  switch (field.meaning) {
    case 'cursor':
      return { kind: 'cursor', as }
    case 'node':
      return { kind: 'node', as, fields: planRowFields(context, types, selections, path) }
  }
}

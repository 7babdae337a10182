import { invalid, type Path } from '../../errors.ts'
import { type CursorKey, columnOf, type OrderAggregate, type OrderBy, type OrderKey } from '../../ir/index.ts'
import { type Context, deeper, useTable } from '../selection/context.ts'
import { isNull, listEntries, open, type RawInput } from '../selection/input.ts'
import type { OrderMeaning } from '../types/order-types.ts'
import type { RoleTable } from '../types/role-table.ts'
import { orderByEnum, orderByRef } from '../types/scalar-types.ts'
import type { TableTypes } from '../types/table-types.ts'
import { type InputField, listOf, nonNull, refTo } from '../types/type.ts'
import { columnOperand } from './column-operand.ts'
import { computedOperand } from './computed-call.ts'
import { enumValue } from './enum-value.ts'
import { planInputFields } from './input-field.ts'

/**
 * Plans `order_by`: a list of objects; keys of an object in the client's order
 * (reference/graphql-schema#generated-types).
 */
export function planOrder(context: Context, types: TableTypes, raw: RawInput, path: Path): readonly CursorKey[] {
  const type = types.order()
  const element = nonNull(refTo(type))
  const input = open(context, raw, listOf(element), false, path)
  if (isNull(input)) return []
  return listEntries(context, input, path).flatMap((entry) =>
    planObject(context, types, open(context, entry.raw, element, false, entry.path), entry.path, (key) => key),
  )
}

/** What wraps a key found inside a relationship. */
type Wrap = (key: OrderKey) => OrderKey

function planObject(
  context: Context,
  types: TableTypes,
  input: ReturnType<typeof open>,
  path: Path,
  wrap: Wrap,
): readonly CursorKey[] {
  return deeper(context, path, () => {
    const plan = (field: InputField<OrderMeaning>, raw: RawInput, at: Path) =>
      planEntry(context, types, field, raw, at, wrap).map((entry) => under(field.name, entry))
    return planInputFields(context, types.order(), input, path, plan).flat()
  })
}

function planEntry(
  context: Context,
  { table: own }: TableTypes,
  { meaning, type }: InputField<OrderMeaning>,
  raw: RawInput,
  path: Path,
  wrap: Wrap,
): readonly CursorKey[] {
  if (meaning.kind === 'column')
    return direction(context, own, raw, wrap({ kind: 'operand', of: columnOperand(meaning.column) }), path)
  if (meaning.kind === 'computed')
    return direction(context, own, raw, wrap({ kind: 'operand', of: computedOperand(meaning) }), path)
  const input = open(context, raw, type, false, path)
  if (isNull(input)) return []
  if (meaning.kind === 'placeholder') {
    directionOf(context, own, input, path)
    return []
  }
  if (meaning.kind === 'computed-aggregate') {
    const { call, table } = meaning
    const target = useTable(context, table)
    const { filter } = target.table
    return planAggregate(context, target, input, path, (aggregate) =>
      wrap({ kind: 'computed-aggregate', call, filter, aggregate }),
    )
  }
  const target = useTable(context, meaning.relationship.target)
  const { filter } = target.table
  const { join } = meaning.relationship
  if (meaning.kind === 'aggregate')
    return planAggregate(context, target, input, path, (aggregate) =>
      wrap({ kind: 'related-aggregate', join, filter, aggregate }),
    )
  return planObject(context, target, input, path, (key) => wrap({ kind: 'related', join, filter, key }))
}

function planAggregate(
  context: Context,
  target: TableTypes,
  input: ReturnType<typeof open>,
  path: Path,
  by: (aggregate: OrderAggregate) => OrderKey,
): readonly CursorKey[] {
  const entries = planInputFields(context, target.aggregateOrder(), input, path, ({ name, meaning, type }, raw, at) => {
    if (meaning.kind === 'count')
      return direction(context, target.table, raw, by({ operator: 'count' }), at).map((entry) => under(name, entry))
    // unlike a column, an operator that is null is an error (reference/graphql-schema#generated-types)
    const columns = open(context, raw, type, false, at)
    const keys = planInputFields(context, meaning.type, columns, at, (column, value, atColumn) => {
      const key = by({ operator: meaning.operator, of: columnOperand(column.meaning) })
      const found = direction(context, target.table, value, key, atColumn)
      return found.map((entry) => under(name, under(column.name, entry)))
    })
    return keys.flat()
  })
  return entries.flat()
}

const under = (key: string, entry: CursorKey): CursorKey => ({ ...entry, names: [key, ...entry.names] })

/** Plans one key with its direction; a direction that is null orders by nothing. */
function direction(context: Context, table: RoleTable, raw: RawInput, key: OrderKey, path: Path): readonly CursorKey[] {
  const input = open(context, raw, orderByRef(table.types), false, path)
  return isNull(input) ? [] : [{ key, ...directionOf(context, table, input, path), names: [] }]
}

/** `asc` and `desc` put nulls where the database puts them by itself. */
function directionOf(
  context: Context,
  { types }: RoleTable,
  input: ReturnType<typeof open>,
  path: Path,
): Pick<CursorKey, 'direction' | 'nulls'> {
  const value = enumValue(context, input, orderByEnum(types), path).toLowerCase()
  const direction = value.startsWith('desc') ? 'desc' : 'asc'
  if (value.endsWith('nulls_first')) return { direction, nulls: 'first' }
  return { direction, nulls: value.endsWith('nulls_last') ? 'last' : types.features.nulls[direction] }
}

/**
 * Throws validation-failed at `.args` unless order_by begins with just these columns
 * (reference/graphql-schema#generated-types).
 */
export function checkDistinctOrder(distinctOn: readonly string[], orderBy: readonly OrderBy[], path: Path): void {
  if (distinctOn.length === 0 || orderBy.length === 0) return
  const initial = orderBy
    .slice(0, distinctOn.length)
    .map(({ key }) => (key.kind === 'operand' ? columnOf(key.of) : null))
  if (initial.length === distinctOn.length && distinctOn.every((column) => initial.includes(column))) return
  throw invalid(path, '"distinct_on" columns must match initial "order_by" columns')
}

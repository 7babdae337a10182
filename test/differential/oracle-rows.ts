/**
 * Rows filtered, ordered, made distinct and cut (reference/graphql-schema#object-types,
 * reference/graphql-schema#generated-types, reference/queries#one-statement-for-a-root-field), in groups of rows whose
 * order nothing says.
 */
import { cellOf, computedRows, evaluate, joined } from './oracle-condition.ts'
import { aggregateValues } from './oracle-numbers.ts'
import { Ambiguous, canonical, order } from './oracle-values.ts'
import type { Asker } from './oracle-view.ts'
import type { Direction, OrderKey, Rows } from './query.ts'
import type { ColumnType, Row, Table, Value } from './world.ts'
import { relationshipOf, rowsTarget, tableOf, typeOf } from './world-lookup.ts'

/** A row and its values in the order. */
export interface Keyed {
  readonly row: Row
  readonly keys: readonly Value[]
}

export const selectRows = (asker: Asker, table: Table, candidates: readonly Row[], rows: Rows): Row[][] =>
  cut(groupRows(asker, table, candidates, rows), rows.offset ?? 0, rows.limit).map((group) =>
    group.map(({ row }) => row),
  )

/** The same before they are cut. */
export function groupRows(
  asker: Asker,
  table: Table,
  candidates: readonly Row[],
  { where, orderBy, distinctOn }: Pick<Rows, 'where' | 'orderBy' | 'distinctOn'>,
): Keyed[][] {
  const found = candidates.filter((row) => where === null || evaluate(asker, where, { table, row }) === true)
  const compare = comparison(asker, table, orderBy)
  const sorted = found
    .map((row): Keyed => ({ row, keys: orderBy.map((key) => orderValue(asker, table, row, key)) }))
    .toSorted((a, b) => compare(a.keys, b.keys))
  const groups: Keyed[][] = []
  for (const one of sorted) {
    const last = groups.at(-1)
    if (last?.[0] && compare(last[0].keys, one.keys) === 0) last.push(one)
    else groups.push([one])
  }
  if (distinctOn.length === 0) return groups
  const types = distinctOn.map((column) => typeOf(asker.world, table, column))
  const valuesOf = ({ row }: Keyed) =>
    distinctOn.map((column, i) => canonical(cellOf(asker, table, row, column), types[i])).join()
  const taken = new Set<string>()
  return groups.flatMap((group) => {
    const fresh = group.filter((one) => !taken.has(valuesOf(one)))
    if (new Set(fresh.map(valuesOf)).size < fresh.length) throw new Ambiguous()
    for (const one of fresh) taken.add(valuesOf(one))
    return fresh.length > 0 ? [fresh] : []
  })
}

/** How the values of two rows in an order compare. */
export function comparison(asker: Asker, table: Table, orderBy: readonly OrderKey[]) {
  const types = orderBy.map((key) => keyType(asker, table, key))
  return (a: readonly Value[], b: readonly Value[]): number => {
    for (const [i, { direction }] of orderBy.entries()) {
      const sign = compareValues(a[i] ?? null, b[i] ?? null, direction, types[i])
      if (sign !== 0) return sign
    }
    return 0
  }
}

function keyType({ world }: Asker, table: Table, { through, of }: OrderKey): ColumnType | undefined {
  const target = through.reduce((from, name) => tableOf(world, relationshipOf(world, from.name, name).target), table)
  if (of.kind === 'column') return typeOf(world, target, of.column)
  const isValue = of.kind === 'aggregate' && (of.operator === 'min' || of.operator === 'max')
  return isValue ? typeOf(world, tableOf(world, rowsTarget(world, target, of.rows)), of.column) : undefined
}

/** What lies beyond an object relationship that leads nowhere is NULL. */
export function orderValue(asker: Asker, table: Table, row: Row, { through, of, direction }: OrderKey): Value {
  const [next, ...rest] = through
  if (next !== undefined) {
    const { target, rows } = related(asker, table, row, next)
    const values = rows.map((one) => orderValue(asker, target, one, { through: rest, of, direction }))
    if (new Set(values.map((value) => canonical(value))).size > 1) throw new Ambiguous()
    return values[0] ?? null
  }
  if (of.kind === 'column') return keyOf(asker, table, row, of.column)
  const { target, rows } = reached(asker, table, row, of.rows)
  if (of.kind === 'count') return rows.length
  const values = rows.map((one) => cellOf(asker, target, one, of.column)).filter((value) => value !== null)
  const type = typeOf(asker.world, target, of.column)
  const value = aggregateValues(of.operator, values, type)
  // which of the equal ones is taken decides nothing, and is no order by itself
  return type === 'citext' && typeof value === 'string' ? value.toLowerCase() : value
}

/** A key identifies rows for roles as well that may not select it; where it is masked it stays so (docs/relay.md). */
export function keyOf(asker: Asker, table: Table, row: Row, column: string): Value {
  const grant = asker.view.grant(table.name)
  const isHidden = table.key.includes(column) && !grant?.columns.includes(column)
  return isHidden ? (row[column] ?? null) : cellOf(asker, table, row, column)
}

interface Reached {
  readonly target: Table
  readonly rows: readonly Row[]
}

/** The rows that a relationship leads to and the role sees. */
export function related({ world, view }: Asker, table: Table, row: Row, name: string): Reached {
  const way = relationshipOf(world, table.name, name)
  const target = tableOf(world, way.target)
  return { target, rows: view.visible(target, joined(way.columns, row, target.rows)) }
}

/** Or that a computed field gives. */
function reached(asker: Asker, table: Table, row: Row, name: string): Reached {
  const { world, view } = asker
  if (world.relationships.some((one) => one.table === table.name && one.name === name))
    return related(asker, table, row, name)
  const { table: target, rows } = computedRows(asker, table, row, name, {})
  return { target, rows: view.visible(target, rows) }
}

/** `asc` puts NULLs last, `desc` first (reference/graphql-schema#generated-types). */
function compareValues(a: Value, b: Value, direction: Direction, type: ColumnType | undefined): number {
  const nullsFirst = direction.endsWith('nulls_first') || direction === 'desc'
  if (a === null || b === null) {
    if (a === b) return 0
    return (a === null) === nullsFirst ? -1 : 1
  }
  // computed by dividing: what is this close is the same
  if (typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) < 1e-9) return 0
  return direction.startsWith('desc') ? order(b, a, type) : order(a, b, type)
}

export function cut<T>(groups: readonly T[][], offset: number, limit: number | null): T[][] {
  const total = groups.reduce((sum, group) => sum + group.length, 0)
  const end = limit === null ? total : Math.min(total, offset + limit)
  const kept: T[][] = []
  let start = 0
  for (const group of groups) {
    const [from, to] = [Math.max(offset, start), Math.min(end, start + group.length)]
    if (from < to) {
      if (to - from < group.length) throw new Ambiguous()
      kept.push(group)
    }
    start += group.length
  }
  return kept
}

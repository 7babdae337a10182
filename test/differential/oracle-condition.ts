/** Conditions in three-valued logic. */
import { aggregatePair, aggregateValues } from './oracle-numbers.ts'
import { type Given, rowsOf, scalarOf } from './oracle-routine.ts'
import { Ambiguous, all, canonical, compare, jsonbText, not, type Truth } from './oracle-values.ts'
import type { Asker, View } from './oracle-view.ts'
import type { ColumnType, Condition, Predicate, PredicateFunction, Row, Table, Value } from './world.ts'
import { computedOf, relationshipOf, tableOf, typeOf } from './world-lookup.ts'

export interface OraclePlace {
  readonly table: Table
  readonly row: Row
  /** The row that the whole expression is about, where that is another one. */
  readonly root?: Row
}

/** Without a view a permission's filter, which sees everything; else a role's `where`, which sees what the role sees. */
export type Judge = Pick<Asker, 'world' | 'session'> & { readonly view: View | null }

export function evaluate(judge: Judge, condition: Condition, place: OraclePlace): Truth {
  const { world, view } = judge
  const { table, row, root = row } = place
  const inner = (of: Condition) => evaluate(judge, of, place)
  const cell = (column: string): Value => cellOf(judge, table, row, column)
  const some = (target: Table, rows: readonly Row[], of: Condition): Truth =>
    rows.some((other) => evaluate(judge, of, { table: target, row: other, root }) === true)
  switch (condition.kind) {
    case 'and':
      return all(condition.of.map(inner))
    case 'or':
      return not(all(condition.of.map((one) => not(inner(one)))))
    case 'not':
      return not(inner(condition.of))
    case 'is-null':
      return (cell(condition.column) === null) === condition.is
    case 'compare': {
      const { column, operator, operand, cast } = condition
      const left = cast ? jsonbText(cell(column)) : cell(column)
      const type = cast ? 'text' : typeOf(world, table, column)
      const declared = table.columns.find(({ name }) => name === column)
      // in a permission, NULL is unlike any value
      if (!view && left === null && operator === 'neq' && declared?.nullable) return true
      const right = operand.kind === 'constant' ? operand.value : sessionValue(judge, operand.variable, type)
      return compare(left, operator, right, type)
    }
    case 'columns': {
      const { column, operator, other, root: isRoot } = condition
      return compare(cell(column), operator, (isRoot ? root : row)[other] ?? null, typeOf(world, table, column))
    }
    case 'related': {
      const way = relationshipOf(world, table.name, condition.relationship)
      const target = tableOf(world, way.target)
      return some(target, visible(judge, target, joined(way.columns, row, target.rows)), condition.of)
    }
    case 'computed': {
      // the function says which rows there are, not the permission
      const { table: target, rows } = computedRows(judge, table, row, condition.field, {})
      return some(target, rows, condition.of)
    }
    case 'aggregate': {
      const way = relationshipOf(world, table.name, condition.relationship)
      const target = tableOf(world, way.target)
      const { filter } = condition
      const found = visible(judge, target, joined(way.columns, row, target.rows)).filter(
        (other) => filter === null || evaluate(judge, filter, { table: target, row: other, root }) === true,
      )
      return compareAggregate(judge, target, found, condition)
    }
    case 'exists': {
      const other = tableOf(world, condition.table)
      return some(other, other.rows, condition.of)
    }
  }
}

const visible = ({ view }: Judge, table: Table, rows: readonly Row[]): readonly Row[] =>
  view ? view.visible(table, rows) : rows

/** A column, or a computed field, as far as it is seen. */
export function cellOf(
  { world, session, view }: Judge,
  table: Table,
  row: Row,
  name: string,
  given: Given = {},
): Value {
  const isColumn = table.columns.some((column) => column.name === name)
  const value = isColumn ? (row[name] ?? null) : scalarOf(computedOf(world, table.name, name), row, given, session)
  return view ? view.cell(table, row, name, value) : value
}

/** All rows that a computed field gives. */
export function computedRows(
  { world, session }: Pick<Judge, 'world' | 'session'>,
  table: Table,
  row: Row,
  name: string,
  given: Given,
): { readonly table: Table; readonly rows: readonly Row[] } {
  const routine = computedOf(world, table.name, name)
  if (routine.body.kind !== 'rows') throw new Error(`${name} gives no rows`)
  return { table: tableOf(world, routine.body.target), rows: rowsOf(world, routine, row, given, session) }
}

function compareAggregate(judge: Judge, target: Table, rows: readonly Row[], predicate: Predicate): Truth {
  const { function: name, columns, distinct, operator, value } = predicate
  const tuples = rows.map((row) => columns.map((column) => cellOf(judge, target, row, column)))
  const types = columns.map((column) => typeOf(judge.world, target, column))
  const found = aggregateOf(name, tuples, types, distinct)
  if (name === 'count') return compare(found, operator, value, 'int4')
  if (name === 'bool_and' || name === 'bool_or') return compare(found, operator, value, 'bool')
  return compareClosely(found, operator, value)
}

/** Of tuples of columns of these types. */
export function aggregateOf(
  name: PredicateFunction,
  tuples: readonly (readonly Value[])[],
  types: readonly ColumnType[],
  distinct: boolean,
): Value {
  if (name === 'count') return countOf(tuples, types, distinct)
  if (name === 'corr' || name === 'covar_samp') {
    const pairs = tuples.filter(([x, y]) => x !== null && y !== null).map(([x, y]) => [Number(x), Number(y)] as const)
    return aggregatePair(name, distinct ? distinctOf(pairs) : pairs)
  }
  const values = tuples.map(([only]) => only ?? null).filter((one) => one !== null)
  const counted = distinct ? distinctOf(values) : values
  if (name === 'bool_and') return counted.length === 0 ? null : !counted.includes(false)
  if (name === 'bool_or') return counted.length === 0 ? null : counted.includes(true)
  return aggregateValues(name, counted)
}

const distinctOf = <T>(values: readonly T[]): readonly T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
]

/** What is computed by dividing is about right. */
function compareClosely(left: Value, operator: Predicate['operator'], right: number | boolean): Truth {
  if (left !== null && left !== right && Math.abs(Number(left) - Number(right)) < 1e-9) throw new Ambiguous()
  return compare(left, operator, right, 'float8')
}

/** Of tuples of so many columns: without any all rows count, of one its values; a row of NULLs is no NULL. */
export function countOf(
  tuples: readonly (readonly Value[])[],
  types: readonly ColumnType[],
  distinct: boolean,
): number {
  if (types.length === 0) return tuples.length
  const present = types.length === 1 ? tuples.filter(([only]) => only !== null) : tuples
  const key = (tuple: readonly Value[]) => tuple.map((value, i) => canonical(value, types[i])).join()
  return distinct ? new Set(present.map(key)).size : present.length
}

/** Rows that the columns of a row lead to; NULL leads nowhere. */
export const joined = (
  columns: readonly (readonly [string, string])[],
  row: Row,
  rows: readonly Row[],
): readonly Row[] =>
  rows.filter((other) => columns.every(([from, to]) => row[from] !== null && row[from] === other[to]))

const unquoted = (item: string): string => (item.startsWith('"') ? JSON.parse(item) : item)

/** A header is text; lists are PostgreSQL's array literals. */
function sessionValue({ session }: Judge, name: keyof Asker['session'], type: ColumnType): Value | readonly Value[] {
  const text = session[name]
  if (type === 'jsonb' && name === 'x-svc-json') return JSON.parse(text)
  const isNumber = /^(int|float|numeric)/.test(type)
  if (text.startsWith('{')) {
    const items = text === '{}' ? [] : text.slice(1, -1).split(',').map(unquoted)
    return isNumber ? items.map(Number) : items
  }
  if (type === 'bool') return text.startsWith('t')
  if (type === 'uuid') return text.toLowerCase()
  return isNumber ? Number(text) : text
}

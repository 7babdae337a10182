/** Conditions in three-valued logic: true, false, or null for unknown. */
import type { Session, View } from './oracle-view.ts'
import {
  type Condition,
  columnOf,
  type Operator,
  type Row,
  relationshipOf,
  type Table,
  tableOf,
  type Value,
  type World,
} from './world.ts'

export type Truth = boolean | null

export interface Place {
  readonly table: Table
  readonly row: Row
  /** The row that the whole expression is about, where that is another one. */
  readonly root?: Row
}

/** A permission's filter; it sees everything. With a `view`: a role's `where`, which sees what the role sees. */
export function evaluate(world: World, condition: Condition, place: Place, session: Session, view?: View): Truth {
  const { table, row, root = row } = place
  const inner = (of: Condition) => evaluate(world, of, place, session, view)
  const cell = (column: string): Value => (view ? view.cell(table.name, row, column) : (row[column] ?? null))
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
      const { column, operator, operand } = condition
      const left = cell(column)
      const isNullSafe = !view && columnOf(table, column).nullable
      // in a permission, NULL is unlike any value
      if (isNullSafe && left === null && operator === 'neq') return true
      const right = operand.kind === 'constant' ? operand.value : sessionValue(session[operand.variable], typeof left)
      return compare(left, operator, right)
    }
    case 'columns':
      return compare(cell(condition.column), condition.operator, (condition.root ? root : row)[condition.other] ?? null)
    case 'related': {
      const way = relationshipOf(world, table.name, condition.relationship)
      const target = tableOf(world, way.target)
      return joined(way.columns, row, view ? view.rows(target.name) : target.rows).some(
        (other) => evaluate(world, condition.of, { table: target, row: other, root }, session, view) === true,
      )
    }
    case 'count': {
      const way = relationshipOf(world, table.name, condition.relationship)
      const target = tableOf(world, way.target)
      const found = joined(way.columns, row, view ? view.rows(target.name) : target.rows).filter(
        (other) =>
          condition.filter === null ||
          evaluate(world, condition.filter, { table: target, row: other, root }, session, view) === true,
      )
      const tuples = found.map((other) =>
        condition.columns.map((column) => (view ? view.cell(target.name, other, column) : (other[column] ?? null))),
      )
      return compare(countOf(tuples, condition.columns.length, condition.distinct), condition.operator, condition.value)
    }
    case 'exists': {
      const other = tableOf(world, condition.table)
      return other.rows.some(
        (one) => evaluate(world, condition.of, { table: other, row: one, root }, session, view) === true,
      )
    }
  }
}

/** Of tuples of so many columns: without any all rows count, of one its values; a row of NULLs is no NULL. */
export function countOf(tuples: readonly (readonly Value[])[], columns: number, distinct: boolean): number {
  if (columns === 0) return tuples.length
  const present = columns === 1 ? tuples.filter(([only]) => only !== null) : tuples
  return distinct ? new Set(present.map((tuple) => tuple.map(canonical).join())).size : present.length
}

/** Rows that the columns of a row lead to; NULL leads nowhere. */
export const joined = (
  columns: readonly (readonly [string, string])[],
  row: Row,
  rows: readonly Row[],
): readonly Row[] =>
  rows.filter((other) => columns.every(([from, to]) => row[from] !== null && row[from] === other[to]))

const not = (truth: Truth): Truth => (truth === null ? null : !truth)

const all = (truths: readonly Truth[]): Truth => (truths.includes(false) ? false : truths.includes(null) ? null : true)

/** A header is text; lists are PostgreSQL's array literals of integers. */
function sessionValue(text: string, type: string): Value | readonly Value[] {
  if (text.startsWith('{')) return text.slice(1, -1).split(',').map(Number)
  return type === 'number' ? Number(text) : text
}

function compare(left: Value, operator: Operator, right: Value | readonly Value[]): Truth {
  if (operator === 'in' || operator === 'nin') {
    const list = right as readonly Value[]
    // nothing is in an empty list, whatever it is
    const isIn = list.length === 0 ? false : left === null ? null : list.includes(left)
    return operator === 'in' ? isIn : not(isIn)
  }
  if (left === null || right === null) return null
  const value = right as Exclude<Value, null>
  switch (operator) {
    case 'eq':
      return equal(left, value)
    case 'neq':
      return !equal(left, value)
    case 'gt':
      return order(left, value) > 0
    case 'lt':
      return order(left, value) < 0
    case 'gte':
      return order(left, value) >= 0
    case 'lte':
      return order(left, value) <= 0
    case 'like':
      return pattern(String(value), '').test(String(left))
    case 'ilike':
      return pattern(String(value), 'i').test(String(left))
    case 'has_key':
      return typeof left === 'object' && Object.hasOwn(left, String(value))
    case 'contains':
      return (
        typeof left === 'object' &&
        typeof value === 'object' &&
        Object.entries(value).every(([key, member]) => left[key] === member)
      )
  }
}

const pattern = (like: string, flags: string): RegExp =>
  new RegExp(`^${like.replaceAll('%', '.*').replaceAll('_', '.')}$`, `s${flags}`)

export const equal = (a: Value, b: Value): boolean => canonical(a) === canonical(b)

/** One text for equal values. */
export const canonical = (value: Value): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(value)

/** Numbers by size, texts of lower case ASCII, dates and uuids by their characters, false before true. */
export function order(a: Exclude<Value, null>, b: Exclude<Value, null>): number {
  return a < b ? -1 : a > b ? 1 : 0
}

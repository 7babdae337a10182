import { type CountRowsArgs, isRecord, type Json, type SelectedColumn, type SelectRowsArgs } from '@svc/schema'
import { ApiError, type Path } from '../errors.ts'
import { columnOperand, type RoleTable } from '../graphql/index.ts'
import {
  allOf,
  type OrderBy,
  type OrderKey,
  type RootQuery,
  type RowField,
  type Rows,
  type Value,
} from '../ir/index.ts'
import type { RoleRows } from './role-rows.ts'

type Selection = Pick<SelectRowsArgs, 'columns' | 'where' | 'order_by' | 'limit' | 'offset'>

/** select (reference/row-api). */
export function selectQuery(rows: RoleRows, table: RoleTable, selection: Selection, path: Path): RootQuery {
  return {
    kind: 'rows',
    from: table.table.table,
    rows: rowsOf(rows, table, selection, path),
    fields: fieldsOf(rows, table, selection.columns, path.at('columns')),
  }
}

function rowsOf(
  rows: RoleRows,
  table: RoleTable,
  { where, order_by, limit, offset }: Omit<Selection, 'columns'>,
  path: Path,
): Rows {
  return {
    where: allOf([table.filter, rows.condition(table, where, path.at('where'))]),
    orderBy: orderOf(rows, table, order_by ?? null, path.at('order_by')),
    distinctOn: [],
    limit: countOf(table, limit, path.at('limit')),
    offset: countOf(table, offset, path.at('offset')),
    permissionLimit: table.limit,
  }
}

function countOf({ types }: RoleTable, given: number | undefined, path: Path): Value | null {
  if (given === undefined) return null
  if (given < 0) throw new ApiError('not-supported', path, 'unexpected negative value')
  return { kind: 'constant', text: String(given), type: { type: types.common.count, list: false } }
}

/** `*`: all columns; with every `.*` behind it, relationships one level deeper. */
const star = /^\*(\.\*)*$/

function fieldsOf(
  rows: RoleRows,
  table: RoleTable,
  columns: readonly SelectedColumn[],
  path: Path,
): readonly RowField[] {
  const fields = new Map<string, RowField>()
  for (const [i, column] of columns.entries())
    for (const field of fieldOf(rows, table, column, path.at(i))) fields.set(field.as, field)
  return [...fields.values()]
}

function fieldOf(rows: RoleRows, table: RoleTable, column: SelectedColumn, path: Path): readonly RowField[] {
  if (typeof column !== 'string') return [relatedField(rows, table, column, path)]
  if (star.test(column)) return starFields(rows, table, (column.length - 1) / 2, path)
  const found = rows.column(table, column, path)
  return [{ kind: 'column', as: found.name, of: columnOperand(found), path: [] }]
}

function starFields(rows: RoleRows, table: RoleTable, levels: number, path: Path): readonly RowField[] {
  const own = table.columns.map((one): RowField => ({ kind: 'column', as: one.name, of: columnOperand(one), path: [] }))
  if (levels === 0) return own
  const related = [...table.table.relationships.values()].flatMap(({ name, query }): readonly RowField[] => {
    if (query) return []
    try {
      return [relatedField(rows, table, { name, columns: [`*${'.*'.repeat(levels - 1)}`] }, path)]
    } catch (error) {
      // of what the role may not select, `*` is nothing
      if (error instanceof ApiError && error.code === 'permission-denied') return []
      throw error
    }
  })
  return [...own, ...related]
}

function relatedField(rows: RoleRows, table: RoleTable, column: Exclude<SelectedColumn, string>, path: Path): RowField {
  const relationship = table.table.relationships.get(column.name)
  if (!relationship || relationship.query) {
    if (table.table.columnsByName.has(column.name))
      throw new ApiError('unexpected-payload', path.at('name'), `"${column.name}" is a column and no relationship`)
    throw new ApiError('not-exists', path.at('name'), `relationship "${column.name}" does not exist`)
  }
  const target = rows.target(table, relationship.join.table, path)
  const as = column.alias ?? column.name
  const fields = fieldsOf(rows, target, column.columns, path.at('columns'))
  if (relationship.kind === 'array')
    return { kind: 'array', as, join: relationship.join, rows: rowsOf(rows, target, column, path), fields }
  for (const key of ['order_by', 'limit', 'offset'] as const)
    if (column[key] !== undefined)
      throw new ApiError('unexpected-payload', path.at(key), `"${column.name}" leads to one row: it takes no ${key}`)
  const where = allOf([target.filter, rows.condition(target, column.where, path.at('where'))])
  return { kind: 'object', as, join: relationship.join, where, fields }
}

function orderOf(rows: RoleRows, table: RoleTable, given: Json, path: Path): readonly OrderBy[] {
  if (given === null) return []
  if (Array.isArray(given)) return given.flatMap((one: Json, i) => orderOf(rows, table, one, path.at(i)))
  if (typeof given === 'string') {
    const [, sign = '', column = ''] = /^([+-]?)(.*)$/s.exec(given) ?? []
    return [orderBy(orderKey(rows, table, column.split('.'), path), sign === '-' ? 'desc' : 'asc', null)]
  }
  if (!isRecord(given) || typeof given.column !== 'string')
    throw new ApiError('parse-failed', path, 'expected a column, or an object with a column')
  const { column, type = null, nulls = null } = given
  const direction = oneOf(type, ['asc', 'desc'], path.at('type'))
  const place = oneOf(nulls, ['first', 'last'], path.at('nulls'))
  return [orderBy(orderKey(rows, table, column.split('.'), path.at('column')), direction ?? 'asc', place)]
}

function oneOf<T extends string>(given: Json, names: readonly T[], path: Path): T | null {
  if (given === null) return null
  const found = names.find((name) => name === given)
  if (found === undefined) throw new ApiError('parse-failed', path, `expected one of ${names.join(', ')}`)
  return found
}

/** As the database places NULLs by itself. */
const orderBy = (key: OrderKey, direction: 'asc' | 'desc', nulls: 'first' | 'last' | null): OrderBy => ({
  key,
  direction,
  nulls: nulls ?? (direction === 'asc' ? 'last' : 'first'),
})

function orderKey(rows: RoleRows, table: RoleTable, names: readonly string[], path: Path): OrderKey {
  const [name = '', ...rest] = names
  if (rest.length === 0) return { kind: 'operand', of: columnOperand(rows.column(table, name, path)) }
  const relationship = table.table.relationships.get(name)
  if (!relationship || relationship.query || relationship.kind === 'array')
    throw new ApiError('unexpected-payload', path, `"${name}" is no relationship to one row`)
  const target = rows.target(table, relationship.join.table, path)
  return {
    kind: 'related',
    join: relationship.join,
    filter: target.filter,
    key: orderKey(rows, target, rest, path),
  }
}

/** count: rows, or different values of columns (reference/row-api). */
export function countQuery(
  rows: RoleRows,
  table: RoleTable,
  { where, distinct = [] }: Pick<CountRowsArgs, 'where' | 'distinct'>,
  path: Path,
): RootQuery {
  const columns = distinct.map((name, i) => rows.column(table, name, path.at('distinct', i)))
  return {
    kind: 'aggregate',
    from: table.table.table,
    rows: {
      where: allOf([table.filter, rows.condition(table, where, path.at('where'))]),
      orderBy: columns.map((column) => orderBy({ kind: 'operand', of: columnOperand(column) }, 'asc', null)),
      distinctOn: columns.map(columnOperand),
      limit: null,
      offset: null,
      permissionLimit: null,
    },
    fields: [{ kind: 'aggregate', as: 'rows', fields: [{ kind: 'count', as: 'count', of: [], distinct: false }] }],
  }
}

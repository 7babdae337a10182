/** SELECT: FROM, WHERE, groups, order, FOR JSON. */

import { isAggregate, ownerDepth } from './aggregates.ts'
import { castCell } from './cast.ts'
import { compareScalars, keyOf } from './compare.ts'
import { type CompiledPredicate, commonOf, compileExpression, compilePredicate } from './compile-expression.ts'
import { compileFrom } from './compile-from.ts'
import { isSameName, type Row } from './database.ts'
import { writeForJson } from './for-json.ts'
import { type Compiled, type Env, innerScope, type Relation, type Scope, type ScopeColumn, withCtes } from './scope.ts'
import { ServerError } from './server-error.ts'
import type { Expression, OrderItem, Query, QueryBody, Select } from './syntax.ts'
import { type Cell, isLob, nvarchar, type SqlType } from './types.ts'

export type QueryColumn = { readonly name: string | null; readonly type: SqlType; readonly isJson: boolean }
export type CompiledQuery = { readonly columns: readonly QueryColumn[]; run(env: Env | null): readonly Row[] }

/** The rows of a body with what ORDER BY needs: the row itself and its source. */
type Ordered = { readonly row: Row; readonly env: Env }
type Body = {
  readonly columns: readonly QueryColumn[]
  /** Compiles a sort key; null: only names of columns can be sorted by. */
  readonly sortBy: ((by: Expression) => Compiled) | null
  /** Compiles the windows of sort keys too, so it runs after them. */
  run(env: Env | null): readonly Ordered[]
}

const JSON_COLUMN = 'JSON_F52E2B61-18A1-11d1-B105-00805F49916B'

export function compileQuery(query: Query, outer: Scope): CompiledQuery {
  const scope: Scope = withCtes(outer, query.ctes)
  const body = compileBody(query.body, scope)
  const top = query.body.kind === 'select' && query.body.top ? compileExpression(query.body.top, scope) : null
  const order = query.order.map((item) => compileOrderItem(item, body))
  const [offset, fetch] = [query.offset, query.fetch].map((part) => (part ? compileExpression(part, scope) : null))
  const { json } = query
  const run = (env: Env | null): readonly Row[] => {
    let rows = sortRows(body.run(env), order)
    const here: Env = env ?? { cells: [], outer: null }
    if (top) rows = rows.slice(0, Number(top.run(here) ?? 0))
    if (offset) rows = rows.slice(Number(offset.run(here) ?? 0))
    if (fetch) {
      const count = Number(fetch.run(here) ?? 0)
      if (count < 1)
        throw new ServerError(10744, 'The number of rows provided for a FETCH clause must be greater then zero.')
      rows = rows.slice(0, count)
    }
    return rows.map(({ row }) => row)
  }
  if (!json) return { columns: body.columns, run }
  const write = writeForJson(body.columns, json)
  const isJson = !json.isBare
  return {
    columns: [{ name: JSON_COLUMN, type: nvarchar(Infinity), isJson }],
    run: (env) => {
      const rows = run(env)
      return rows.length === 0 ? [] : [[write(rows)]]
    },
  }
}

function compileOrderItem(
  { by, isDescending }: OrderItem,
  body: Body,
): Compiled & { readonly isDescending: boolean; readonly index: number | null } {
  const isPosition = by.kind === 'literal' && by.type === 'number'
  const alias = by.kind === 'column' && by.path.length === 1 ? (by.path[0] ?? '') : null
  const index = isPosition
    ? Number(by.value) - 1
    : body.columns.findIndex(({ name }) => alias !== null && name !== null && isSameName(name, alias))
  const column = body.columns[index]
  const value: Compiled | undefined = column ? { type: column.type, run: () => null } : body.sortBy?.(by)
  if (!value)
    throw new ServerError(
      104,
      'ORDER BY items must appear in the select list if the statement contains a UNION, INTERSECT or EXCEPT operator.',
    )
  if (isLob(value.type) || value.type.name === 'xml')
    throw new ServerError(
      306,
      'The text, ntext, and image data types cannot be compared or sorted, except when using IS NULL or LIKE operator.',
    )
  return { ...value, isDescending, index: column ? index : null }
}

type SortKey = Compiled & { readonly isDescending: boolean; readonly index?: number | null }

function sortRows(rows: readonly Ordered[], order: readonly SortKey[]): readonly Ordered[] {
  if (order.length === 0) return rows
  const keyed = rows.map((one) => ({
    one,
    keys: order.map((key) =>
      key.index === null || key.index === undefined ? key.run(one.env) : (one.row[key.index] ?? null),
    ),
  }))
  return keyed.sort((a, b) => compareKeys(a.keys, b.keys, order)).map(({ one }) => one)
}

/** NULL is the smallest value. */
function compareKeys(a: readonly Cell[], b: readonly Cell[], order: readonly SortKey[]): number {
  for (const [index, { type, isDescending, isExactCase }] of order.entries()) {
    const [one = null, other = null] = [a[index], b[index]]
    const result =
      one === null || other === null
        ? Number(one !== null) - Number(other !== null)
        : compareScalars(one, other, type, isExactCase === true)
    if (result !== 0) return isDescending ? -result : result
  }
  return 0
}

function compileBody(body: QueryBody, scope: Scope): Body {
  if (body.kind === 'select') return compileSelect(body, scope)
  const [left, right] = [compileBody(body.left, scope), compileBody(body.right, scope)]
  if (left.columns.length !== right.columns.length)
    throw new ServerError(
      205,
      'All queries combined using a UNION, INTERSECT or EXCEPT operator must have an equal number of expressions in their target lists.',
    )
  const columns = left.columns.map((column, index) => ({
    ...column,
    isJson: false,
    type: commonOf([column, right.columns[index] ?? column].map(({ type }) => ({ type, run: () => null }))),
  }))
  const convert =
    (from: Body) =>
    (one: Ordered): Ordered => ({
      ...one,
      row: one.row.map((cell, index) =>
        castCell(cell, from.columns[index]?.type ?? { name: 'int' }, columns[index]?.type ?? { name: 'int' }),
      ),
    })
  const key = ({ row }: Ordered) =>
    row.map((cell, index) => keyOf(cell, columns[index]?.type ?? { name: 'int' })).join('\u0000')
  const distinct = (rows: readonly Ordered[]) => [...new Map(rows.map((one) => [key(one), one])).values()]
  return {
    columns,
    sortBy: null,
    run: (env) => {
      const [one, other] = [left.run(env).map(convert(left)), right.run(env).map(convert(right))]
      const keys = new Set(other.map(key))
      switch (body.operator) {
        case 'union all':
          return [...one, ...other]
        case 'union':
          return distinct([...one, ...other])
        case 'except':
          return distinct(one.filter((row) => !keys.has(key(row))))
        case 'intersect':
          return distinct(one.filter((row) => keys.has(key(row))))
      }
    },
  }
}

function compileSelect(select: Select, outer: Scope): Body {
  const from = compileFromList(select, outer)
  const scope = innerScope(outer, from.columns)
  const where = select.where ? compilePredicate(select.where, scope) : null
  const isGrouped =
    select.group.length > 0 || select.having !== null || select.columns.some(({ value }) => hasAggregate(value, scope))
  const group = select.group.map((by) => compileExpression(by, scope))
  for (const { type } of group)
    if (isLob(type))
      throw new ServerError(
        306,
        'The text, ntext, and image data types cannot be compared or sorted, except when using IS NULL or LIKE operator.',
      )
  const inner: Scope = isGrouped ? { ...scope, grouped: groupedColumns(select, from) } : scope
  const items = select.columns.flatMap(({ value, name, variable }) =>
    value.kind === 'star'
      ? expandStar(value.table, from, inner)
      : [{ name, variable, value: compileExpression(value, inner) }],
  )
  const having = select.having ? compilePredicate(select.having, inner) : null
  if (select.isDistinct)
    for (const { value } of items)
      if (isLob(value.type))
        throw new ServerError(
          421,
          `The ${value.type.name} data type cannot be selected as DISTINCT because it is not comparable.`,
        )
  const columns = items.map(({ name, value }) => ({ name, type: value.type, isJson: value.isJson === true }))
  const assigned = items.flatMap(({ variable, value }, index) =>
    variable === null ? [] : [{ variable, type: value.type, index }],
  )
  const distinctKey = (row: Row) =>
    row.map((cell, index) => keyOf(cell, columns[index]?.type ?? { name: 'int' })).join('\u0000')
  return {
    columns: assigned.length > 0 ? [] : columns,
    sortBy: (by) => compileExpression(by, inner),
    run: (env) => {
      const rows = filterRows(from, where, env)
      const envs = withWindows(isGrouped ? groupRows(rows, group, from.columns.length, env) : rows, inner)
      const kept = having ? envs.filter((one) => having(one) === true) : envs
      let result = kept.map((one): Ordered => ({ env: one, row: items.map(({ value }) => value.run(one)) }))
      if (select.isDistinct) result = [...new Map(result.map((one) => [distinctKey(one.row), one])).values()]
      for (const { row } of result)
        for (const { variable, type, index } of assigned) scope.session.assign(variable, row[index] ?? null, type)
      return result
    },
  }
}

const nothing: Relation = { columns: [], run: () => [[]] }

function compileFromList(select: Select, outer: Scope): Relation {
  return select.from.reduce((left: Relation, from, index) => {
    const right = compileFrom(from, outer)
    return index === 0 ? right : crossJoin(left, right)
  }, nothing)
}

const crossJoin = (left: Relation, right: Relation): Relation => ({
  columns: [...left.columns, ...right.columns],
  run: (env) => {
    const others = right.run(env)
    return left.run(env).flatMap((row) => others.map((other) => [...row, ...other]))
  },
})

function filterRows(from: Relation, where: CompiledPredicate | null, outer: Env | null): readonly Env[] {
  const envs = from.run(outer).map((cells): Env => ({ cells, outer }))
  return where ? envs.filter((env) => where(env) === true) : envs
}

function groupRows(rows: readonly Env[], group: readonly Compiled[], width: number, outer: Env | null): readonly Env[] {
  if (group.length === 0)
    return [
      {
        cells: rows[0]?.cells ?? Array.from({ length: width }, () => null),
        outer,
        rows: rows.map(({ cells }) => cells),
      },
    ]
  const groups = new Map<string, Env[]>()
  for (const row of rows) {
    const key = group.map((by) => keyOf(by.run(row), by.type)).join('\u0000')
    const found = groups.get(key)
    if (found) found.push(row)
    else groups.set(key, [row])
  }
  return [...groups.values()].map((members) => ({
    cells: members[0]?.cells ?? [],
    outer,
    rows: members.map(({ cells }) => cells),
  }))
}

/** ROW_NUMBER of each row, before the list of columns is computed. */
function withWindows(envs: readonly Env[], { windows }: Scope): readonly Env[] {
  if (windows.length === 0) return envs
  const numbers = windows.map(({ partition, order }) => {
    const counts = new Map<string, bigint>()
    const numbered = new Map<Env, bigint>()
    for (const { env } of sortRows(
      envs.map((env) => ({ env, row: [] })),
      order,
    )) {
      const key = partition.map((by) => keyOf(by.run(env), by.type)).join('\u0000')
      const count = (counts.get(key) ?? 0n) + 1n
      counts.set(key, count)
      numbered.set(env, count)
    }
    return numbered
  })
  return envs.map((env) => ({ ...env, windows: numbers.map((numbered) => numbered.get(env) ?? null) }))
}

/** The columns by which a query is grouped, as places in its row. */
function groupedColumns(select: Select, from: Relation): ReadonlySet<number> {
  return new Set(
    select.group.flatMap((by) => {
      if (by.kind !== 'column') return []
      const [name = '', table = null] = [by.path.at(-1), by.path.at(-2)]
      return from.columns.flatMap((column, index) =>
        isSameName(column.name, name) && (table === null || isSameName(column.table ?? '', table)) ? [index] : [],
      )
    }),
  )
}

function expandStar(table: string | null, from: Relation, scope: Scope) {
  const found = from.columns.flatMap((column, index) =>
    table === null || (column.table !== null && isSameName(column.table, table)) ? [{ column, index }] : [],
  )
  if (found.length === 0)
    throw new ServerError(
      107,
      `The column prefix '${table}' does not match with a table name or alias name used in the query.`,
    )
  if (scope.grouped && found.some(({ index }) => !scope.grouped?.has(index)))
    throw new ServerError(
      8120,
      `Column '${found[0]?.column.name}' is invalid in the select list because it is not contained in either an aggregate function or the GROUP BY clause.`,
    )
  return found.map(({ column, index }) => ({
    name: column.name,
    variable: null,
    value: { type: column.type, run: (env: Env) => env.cells[index] ?? null } as Compiled,
  }))
}

/** Whether an expression has an aggregate of this query; a subquery without FROM may hold one. */
function hasAggregate(expression: Expression, scope: Scope): boolean {
  const has = (one: Expression) => hasAggregate(one, scope)
  switch (expression.kind) {
    case 'call':
      if (isAggregate(expression.path) && !expression.over) return ownerDepth(expression, scope) === 0
      return expression.args.some(has)
    case 'unary':
    case 'cast':
    case 'collate':
      return has(expression.of)
    case 'binary':
      return has(expression.left) || has(expression.right)
    case 'case':
      return (
        expression.whens.some(({ result }) => has(result)) ||
        (expression.otherwise !== null && has(expression.otherwise))
      )
    case 'query': {
      const { body } = expression.query
      if (body.kind !== 'select' || body.from.length > 0) return false
      return body.columns.some(({ value }) => hasColumnsBelow(value) && has(value))
    }
    case 'method':
    case 'literal':
    case 'variable':
    case 'column':
    case 'star':
    case 'default':
      return false
  }
}

/** COUNT(*) of a subquery is its own. */
const hasColumnsBelow = (value: Expression): boolean => !(value.kind === 'call' && value.args[0]?.kind === 'star')

/** The columns of a query as those of a derived table. */
export function namedColumns(
  query: CompiledQuery,
  alias: string,
  names: readonly string[] | null,
): readonly ScopeColumn[] {
  return query.columns.map(({ name, type }, index) => {
    const given = names ? names[index] : name
    if (given === null || given === undefined || (names === null && given === JSON_COLUMN))
      throw new ServerError(8155, `No column name was specified for column ${index + 1} of '${alias}'.`)
    return { table: alias, name: given, type }
  })
}

/** Tables, views, derived tables, OPENJSON, joins and APPLY as relations. */
import { castCell } from './cast.ts'
import { catalogueTable } from './catalogue.ts'
import { compileExpression, compilePredicate } from './compile-expression.ts'
import { compileQuery, namedColumns } from './compile-query.ts'
import { findObject, isSameName, type Row, type View } from './database.ts'
import { atPath, type Json, parseJson, scalarText } from './json-text.ts'
import { type Env, innerScope, type Relation, type Scope, type ScopeColumn } from './scope.ts'
import { ServerError } from './server-error.ts'
import type { From, JsonColumn, Path } from './syntax.ts'
import { type Cell, int, nvarchar } from './types.ts'

export function compileFrom(from: From, scope: Scope): Relation {
  switch (from.kind) {
    case 'table':
      return scope.session.changed === from ? withRowNumbers(compileNamed(from, scope)) : compileNamed(from, scope)
    case 'derived': {
      const query = compileQuery(from.query, scope)
      checkOnce(
        query.columns.map(({ name }) => name),
        from.alias,
        from.columns,
      )
      return { columns: namedColumns(query, from.alias, from.columns), run: (env) => query.run(env) }
    }
    case 'values': {
      const rows = from.rows.map((row) => row.map((value) => compileExpression(value, scope)))
      const columns = from.columns.map((name, index) => ({
        table: from.alias,
        name,
        type: rows[0]?.[index]?.type ?? int,
      }))
      return {
        columns,
        run: (env) =>
          rows.map((row) =>
            row.map((value, index) => castCell(value.run(env ?? empty), value.type, columns[index]?.type ?? int)),
          ),
      }
    }
    case 'openjson':
      return compileOpenJson(from, scope)
    case 'join':
      return compileJoin(from, scope)
  }
}

const compileNamed = ({ path, alias }: Extract<From, { kind: 'table' }>, scope: Scope): Relation =>
  compileTable(path, alias ?? path.at(-1) ?? '', scope)

/** The place of each row in the table that an UPDATE or DELETE changes. */
export const ROW_NUMBER = '%%row'
const withRowNumbers = ({ columns, run }: Relation): Relation => ({
  columns: [...columns, { table: null, name: ROW_NUMBER, type: int }],
  run: (env) => run(env).map((row, index) => [...row, BigInt(index)]),
})

const empty: Env = { cells: [], outer: null }

function checkOnce(names: readonly (string | null)[], alias: string, given: readonly string[] | null): void {
  const all = given ?? names
  const twice = all.find(
    (name, index) => name !== null && all.findIndex((other) => other !== null && isSameName(other, name)) < index,
  )
  if (twice !== undefined && twice !== null)
    throw new ServerError(8156, `The column '${twice}' was specified multiple times for '${alias}'.`)
}

function compileTable(path: Path, alias: string, scope: Scope): Relation {
  const name = path.at(-1) ?? ''
  const { session } = scope
  const known = path.length === 1 ? scope.ctes.findLast(({ cte }) => isSameName(cte.name, name)) : undefined
  if (known) {
    const query = compileQuery(known.cte.query, known.scope ?? scope)
    return { columns: namedColumns(query, alias, known.cte.columns), run: () => query.run(null) }
  }
  const catalogue = catalogueTable(path)
  if (catalogue) {
    const columns = catalogue.columns.map((column) => ({ ...column, table: alias }))
    return { columns, run: () => catalogue.rows(session.database, (view) => compileView(view, '', scope).columns) }
  }
  const table = session.findTable(path)
  if (table) {
    const { id } = table
    const columns = table.columns.map((column): ScopeColumn => ({ table: alias, name: column.name, type: column.type }))
    return { columns, run: () => session.tableById(id)?.rows ?? [] }
  }
  const view = findObject(session.database, path)
  if (view?.kind !== 'view') throw new ServerError(208, `Invalid object name '${path.join('.')}'.`)
  return compileView(view, alias, scope)
}

function compileView(view: View, alias: string, scope: Scope): Relation {
  const query = compileQuery(view.query, { ...scope, columns: [], outer: null, ctes: [], grouped: null })
  return { columns: namedColumns(query, alias, view.columns), run: () => query.run(null) }
}

function compileJoin(from: Extract<From, { kind: 'join' }>, scope: Scope): Relation {
  const left = compileFrom(from.left, scope)
  if (from.type === 'cross apply' || from.type === 'outer apply') {
    const right = compileFrom(from.right, innerScope(scope, left.columns))
    const nulls = right.columns.map(() => null)
    const isOuter = from.type === 'outer apply'
    return {
      columns: [...left.columns, ...right.columns],
      run: (env) =>
        left.run(env).flatMap((cells) => {
          const rows = right.run({ cells, outer: env })
          return (rows.length === 0 && isOuter ? [nulls] : rows).map((row) => [...cells, ...row])
        }),
    }
  }
  const right = compileFrom(from.right, scope)
  const columns = [...left.columns, ...right.columns]
  const on = from.on ? compilePredicate(from.on, innerScope(scope, columns)) : () => true
  return { columns, run: (env) => joinRows(from.type, [left, right], on, env) }
}

function joinRows(
  type: string,
  [left, right]: readonly [Relation, Relation],
  on: (env: Env) => boolean | null,
  outer: Env | null,
): readonly Row[] {
  const [rows, others] = [left.run(outer), right.run(outer)]
  const matched = new Set<Row>()
  const joined = rows.flatMap((row) => {
    const found = others.filter((other) => on({ cells: [...row, ...other], outer }) === true)
    for (const other of found) matched.add(other)
    if (found.length > 0) return found.map((other) => [...row, ...other])
    return type === 'left' || type === 'full' ? [[...row, ...right.columns.map(() => null)]] : []
  })
  if (type !== 'right' && type !== 'full') return joined
  const unmatched = others.filter((other) => !matched.has(other))
  return [...joined, ...unmatched.map((other) => [...left.columns.map(() => null), ...other])]
}

function compileOpenJson(from: Extract<From, { kind: 'openjson' }>, scope: Scope): Relation {
  const json = compileExpression(from.json, scope)
  const path = from.path ? compileExpression(from.path, scope) : null
  const named = from.columns ?? null
  const columns = named
    ? named.map(({ name, type }) => ({ table: from.alias, name, type }))
    : [
        { table: from.alias, name: 'key', type: nvarchar(4000) },
        { table: from.alias, name: 'value', type: nvarchar(Infinity) },
        { table: from.alias, name: 'type', type: int },
      ]
  return {
    columns,
    run: (env) => {
      const text = json.run(env ?? empty)
      if (text === null) return []
      const whole = parseJson(String(text))
      const found = path ? atPath(whole, String(path.run(env ?? empty) ?? '$')) : whole
      if (!found || (found.kind !== 'array' && found.kind !== 'object')) return []
      if (!named)
        return (
          found.kind === 'array' ? found.items.map((item, index) => [String(index), item] as const) : found.members
        ).map(([key, item]) => plainRow(key, item))
      return (found.kind === 'array' ? found.items : [found]).map((item) =>
        named.map((column) => jsonCell(item, column)),
      )
    },
  }
}

const TYPES = ['null', 'string', 'number', 'boolean', 'array', 'object'] as const

function plainRow(key: string, json: Json): Row {
  const kind = json.kind === 'true' || json.kind === 'false' ? 'boolean' : json.kind
  const value = json.kind === 'null' ? null : (scalarText(json) ?? json.raw)
  return [key, value, BigInt(TYPES.indexOf(kind))]
}

function jsonCell(item: Json, { name, type, path, isJson }: JsonColumn): Cell {
  const found = atPath(item, path ?? `$.${JSON.stringify(name)}`)
  if (!found) return null
  if (isJson) return found.kind === 'object' || found.kind === 'array' ? found.raw : null
  const text = scalarText(found)
  // without AS JSON an object is null in lax mode
  if (text === null) return null
  if (type.name === 'varbinary' || type.name === 'binary')
    return castCell(Buffer.from(text, 'base64'), { name: 'varbinary', length: Infinity }, type)
  return castCell(text, nvarchar(Infinity), type)
}

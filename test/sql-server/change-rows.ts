/** INSERT, UPDATE and DELETE with OUTPUT. */
import { castCell } from './cast.ts'
import { commonOf, compileExpression, compilePredicate } from './compile-expression.ts'
import { compileFrom, ROW_NUMBER } from './compile-from.ts'
import { compileQuery } from './compile-query.ts'
import { checkReferences, checkRows, orphans, qualified } from './constraints.ts'
import { columnIndex, isSameName, type Row, type Table, type TableColumn, tablesOf } from './database.ts'
import { type Compiled, type Env, type Relation, type Scope, type ScopeColumn, withCtes } from './scope.ts'
import { ServerError } from './server-error.ts'
import type { Expression, From, Output, Statement } from './syntax.ts'
import type { Answer } from './tds/answers.ts'
import { type Cell, int, type SqlType } from './types.ts'

type Insert = Extract<Statement, { kind: 'insert' }>
type Update = Extract<Statement, { kind: 'update' }>
type Delete = Extract<Statement, { kind: 'delete' }>

/** The rows that a statement changed, and what its OUTPUT shows the client. */
export type Change = {
  readonly table: Table
  readonly rows: readonly { readonly before: Row | null; readonly after: Row | null }[]
  readonly answer: Extract<Answer, { kind: 'rows' }> | null
}

const empty: Env = { cells: [], outer: null }

/** `executed`: the rows of INSERT … EXECUTE. */
export function insert(
  statement: Insert,
  outer: Scope,
  executed: { readonly rows: readonly Row[]; readonly types: readonly SqlType[] } | null,
): Change {
  const scope = withCtes(outer, statement.ctes)
  const table = scope.session.tableAt(statement.into)
  const targets = insertTargets(table, statement, scope)
  const rows = sourceRows(statement, table, targets, scope, executed)
  const created = addRows(
    table,
    targets.map((index) => table.columns[index]?.name ?? ''),
    rows,
    scope,
    'INSERT',
  )
  const changed = created.map((after) => ({ after, before: null, row: [] }))
  return { table, rows: changed, answer: writeOutput(statement.output, table, changed, [], scope) }
}

/** The places of the columns that get values, in the order of the values. */
function insertTargets(table: Table, { columns, source }: Insert, { session }: Scope): readonly number[] {
  const isExplicit = session.identityInsert === table.id
  if (source.kind === 'defaults') return []
  if (!columns)
    return table.columns.flatMap((column, index) =>
      column.computed || column.isGenerated || column.type.name === 'timestamp' || (column.isIdentity && !isExplicit)
        ? []
        : [index],
    )
  return columns.map((name, at) => {
    const index = columnIndex(table, name)
    const column = table.columns[index]
    if (columns.findIndex((other) => isSameName(other, name)) < at)
      throw new ServerError(
        264,
        `The column name '${name}' is specified more than once in the SET clause or column list of an INSERT. A column cannot be assigned more than one value in the same clause.`,
      )
    if (column?.computed)
      throw new ServerError(
        271,
        `The column "${name}" cannot be modified because it is either a computed column or is the result of a UNION operator.`,
      )
    if (column?.isGenerated)
      throw new ServerError(
        13536,
        `Cannot insert an explicit value into a GENERATED ALWAYS column in table '${table.name}'.`,
      )
    if (column?.isIdentity && !isExplicit)
      throw new ServerError(
        544,
        `Cannot insert explicit value for identity column in table '${table.name}' when IDENTITY_INSERT is set to OFF.`,
      )
    return index
  })
}

const DEFAULT = Symbol('default')
type Given = Cell | typeof DEFAULT

function sourceRows(
  { source }: Insert,
  table: Table,
  targets: readonly number[],
  scope: Scope,
  executed: { readonly rows: readonly Row[]; readonly types: readonly SqlType[] } | null,
): readonly (readonly Given[])[] {
  const checkWidth = (width: number) => {
    if (width !== targets.length)
      throw width > targets.length
        ? new ServerError(
            110,
            'There are fewer columns in the INSERT statement than values specified in the VALUES clause. The number of values in the VALUES clause must match the number of columns specified in the INSERT statement.',
            15,
          )
        : new ServerError(
            109,
            'There are more columns in the INSERT statement than values specified in the VALUES clause. The number of values in the VALUES clause must match the number of columns specified in the INSERT statement.',
            15,
          )
  }
  const store = (cell: Cell, from: SqlType, at: number): Cell => storeCell(cell, from, table, targets[at] ?? 0, scope)
  switch (source.kind) {
    case 'defaults':
      return [[]]
    case 'values': {
      for (const row of source.rows) checkWidth(row.length)
      const compiled = source.rows.map((row) => row.map((value) => compileValue(value, scope)))
      // values of one column first get one type, as in UNION ALL
      const types = targets.map((_, at) => commonOf(compiled.flatMap((row) => (row[at] ? [row[at]] : []))))
      return compiled.map((row) =>
        row.map((value, at): Given => {
          const index = targets[at] ?? 0
          if (!value) return DEFAULT
          if (table.columns[index]?.type.name === 'timestamp') throw noTimestamp()
          const type = types[at] ?? int
          return store(castCell(value.run(empty), value.type, type), type, at)
        }),
      )
    }
    case 'query': {
      const query = compileQuery(source.query, scope)
      if (query.columns.length !== targets.length)
        throw new ServerError(
          query.columns.length > targets.length ? 121 : 120,
          'The select list for the INSERT statement contains a wrong number of items.',
          15,
        )
      return query.run(null).map((row) => row.map((cell, at) => store(cell, query.columns[at]?.type ?? int, at)))
    }
    case 'execute':
      return (executed?.rows ?? []).map((row) => row.map((cell, at) => store(cell, executed?.types[at] ?? int, at)))
  }
}

const noTimestamp = () =>
  new ServerError(
    273,
    'Cannot insert an explicit value into a timestamp column. Use INSERT with a column list to exclude the timestamp column, or insert a DEFAULT into the timestamp column.',
  )

const compileValue = (value: Expression, scope: Scope): Compiled | null =>
  value.kind === 'default' ? null : compileExpression(value, scope)

/** Converts a value for a column; the server's message names both. */
function storeCell(cell: Cell, from: SqlType, table: Table, index: number, { session }: Scope): Cell {
  const column = table.columns[index]
  try {
    return castCell(cell, from, column?.type ?? int, true)
  } catch (problem) {
    if (!(problem instanceof ServerError) || problem.number !== 2628) throw problem
    const message = problem.message
      .replace("'TABLE'", `'${session.database.name}.${qualified(table)}'`)
      .replace("'COLUMN'", `'${column?.name}'`)
    throw new ServerError(2628, message)
  }
}

/** Adds rows of values for `names`; all others get their defaults. The new rows, whole. */
function addRows(
  table: Table,
  names: readonly string[],
  rows: readonly (readonly Given[])[],
  scope: Scope,
  verb: string,
): readonly Row[] {
  const { session } = scope
  const places = table.columns.map((column) => names.findIndex((name) => isSameName(name, column.name)))
  const defaults = table.columns.map((column) =>
    column.default ? compileExpression(column.default, { ...scope, columns: [], outer: null }) : null,
  )
  const created = rows.map((values) => {
    const cells = table.columns.map((column, index): Cell => {
      const given = values[places[index] ?? -1]
      if (column.type.name === 'timestamp' && !table.name.startsWith('#')) return session.counters.nextVersion()
      if (column.isIdentity) return identityOf(table, column, given, scope)
      if (given !== undefined && typeof given !== 'symbol') return given
      const initial = defaults[index]
      return initial ? storeCell(initial.run(empty), initial.type, table, index, scope) : null
    })
    return withComputed(table, cells, scope)
  })
  const changed: Table = { ...table, rows: [...table.rows, ...created] }
  checkRows(changed, created, verb, scope)
  session.putTable(changed)
  if (!session.isTemporary(table)) checkReferences(session.database, changed, 'INSERT')
  return created
}

function identityOf(table: Table, column: TableColumn, given: Given | undefined, { session }: Scope): Cell {
  if (given === undefined || given === null || typeof given === 'symbol') {
    const value = castCell(session.counters.nextIdentity(table.id), { name: 'bigint' }, column.type)
    session.lastIdentity = value as bigint
    session.scopeIdentity = session.lastIdentity
    return value
  }
  if (typeof given === 'bigint') session.counters.sawIdentity(table.id, given)
  return given
}

function withComputed(table: Table, cells: Row, scope: Scope): Row {
  if (table.columns.every(({ computed }) => computed === null)) return cells
  const columns = table.columns.map(({ name, type }) => ({ table: table.name, name, type }))
  return table.columns.map(({ computed }, index) => {
    if (!computed) return cells[index] ?? null
    return compileExpression(computed, { ...scope, columns, outer: null, grouped: null }).run({ cells, outer: null })
  })
}

/** A table's row before and after, and the row of FROM that found it. */
type Changed = { readonly before: Row | null; readonly after: Row | null; readonly row: Row }

function writeOutput(
  output: Output | null,
  table: Table,
  changed: readonly Changed[],
  from: readonly ScopeColumn[],
  scope: Scope,
): Change['answer'] {
  if (!output) return null
  const { session } = scope
  if (!output.into && session.hasTrigger(table))
    throw new ServerError(
      334,
      `The target table '${qualified(table)}' of the DML statement cannot have any enabled triggers if the statement contains an OUTPUT clause without INTO clause.`,
    )
  const columnsOf = (prefix: string) =>
    table.columns.map(({ name, type }): ScopeColumn => ({ table: prefix, name, type }))
  const columns = [...columnsOf('inserted'), ...columnsOf('deleted'), ...from]
  const inner: Scope = { ...scope, columns, outer: null, grouped: null, windows: [] }
  const nulls = table.columns.map(() => null)
  const items = output.columns.flatMap(({ value, name }) => {
    if (value.kind !== 'star') return [{ name: name ?? '', value: compileExpression(value, inner) }]
    const offset = isSameName(value.table ?? '', 'deleted') ? table.columns.length : 0
    return table.columns.map((column, index) => ({
      name: column.name,
      value: { type: column.type, run: (env: Env) => env.cells[offset + index] ?? null },
    }))
  })
  const rows = changed.map(({ before, after, row }) => {
    const env: Env = { cells: [...(after ?? nulls), ...(before ?? nulls), ...row], outer: null }
    return items.map(({ value }) => value.run(env))
  })
  if (!output.into) return { kind: 'rows', columns: items.map(({ name, value }) => ({ name, type: value.type })), rows }
  const target = session.tableAt(output.into)
  const names = output.intoColumns ?? target.columns.filter(({ isIdentity }) => !isIdentity).map(({ name }) => name)
  const places = names.map((name) => columnIndex(target, name))
  addRows(
    target,
    names,
    rows.map((row) =>
      row.map((cell, at) => storeCell(cell, items[at]?.value.type ?? int, target, places[at] ?? 0, scope)),
    ),
    scope,
    'INSERT',
  )
  return null
}

type Found = {
  readonly table: Table
  readonly relation: Relation
  readonly scope: Scope
  readonly rows: readonly { readonly index: number; readonly env: Env }[]
}

/** The rows of the target that UPDATE or DELETE changes, each once. */
function findRows({ target, from, where, ctes, top }: Update | Delete, outer: Scope): Found {
  const scope = withCtes(outer, ctes)
  const { session } = scope
  const node =
    from.flatMap(tableNodes).find((one) => isTarget(one, target)) ??
    ({ kind: 'table', path: target, alias: null } as const)
  const all: readonly From[] = from.flatMap(tableNodes).includes(node) ? from : [node, ...from]
  const table = session.tableAt(node.path)
  session.changed = node
  try {
    const [first, ...others] = all.map((one) => compileFrom(one, scope))
    if (!first) throw new ServerError(208, `Invalid object name '${target.join('.')}'.`)
    const relation = others.reduce(
      (left: Relation, right): Relation => ({
        columns: [...left.columns, ...right.columns],
        run: (env) => left.run(env).flatMap((row) => right.run(env).map((other) => [...row, ...other])),
      }),
      first,
    )
    const inner: Scope = { ...scope, columns: relation.columns, outer: scope, grouped: null, windows: [] }
    const filter = where ? compilePredicate(where, inner) : null
    const place = relation.columns.findIndex(({ name }) => name === ROW_NUMBER)
    const most = top ? Number(compileExpression(top, scope).run(empty) ?? 0) : Infinity
    const found = new Map<number, Env>()
    for (const cells of relation.run(null)) {
      const env: Env = { cells, outer: empty }
      const index = Number(cells[place] ?? -1)
      if (found.size < most && !found.has(index) && (!filter || filter(env) === true)) found.set(index, env)
    }
    return { table, relation, scope: inner, rows: [...found].map(([index, env]) => ({ index, env })) }
  } finally {
    session.changed = null
  }
}

type TableNode = Extract<From, { kind: 'table' }>
const tableNodes = (from: From): readonly TableNode[] =>
  from.kind === 'table' ? [from] : from.kind === 'join' ? [...tableNodes(from.left), ...tableNodes(from.right)] : []

function isTarget({ path, alias }: TableNode, target: readonly string[]): boolean {
  const [name = ''] = target
  if (target.length === 1 && alias !== null) return isSameName(alias, name)
  return isSameName(path.at(-1) ?? '', target.at(-1) ?? '') && (alias === null || target.length > 1)
}

export function update(statement: Update, outer: Scope): Change {
  const { table, relation, scope, rows } = findRows(statement, outer)
  const { session } = scope
  const set = statement.set.map(({ column, value }) => {
    const index = columnIndex(table, column)
    const target = table.columns[index]
    if (target?.isIdentity) throw new ServerError(8102, `Cannot update identity column '${target.name}'.`)
    if (target?.isGenerated)
      throw new ServerError(13537, `Cannot update GENERATED ALWAYS columns in table '${table.name}'.`)
    if (target?.computed)
      throw new ServerError(
        271,
        `The column "${target.name}" cannot be modified because it is either a computed column or is the result of a UNION operator.`,
      )
    if (target?.type.name === 'timestamp') throw new ServerError(272, 'Cannot update a timestamp column.')
    const initial =
      value.kind === 'default' ? (target?.default ?? ({ kind: 'literal', value: '', type: 'null' } as const)) : value
    return { index, value: compileExpression(initial, scope) }
  })
  const changed = rows.map(({ index, env }) => {
    const before = table.rows[index] ?? []
    const cells = before.map((cell, at): Cell => {
      const one = set.find((item) => item.index === at)
      if (one) return storeCell(one.value.run(env), one.value.type, table, at, scope)
      return table.columns[at]?.type.name === 'timestamp' ? session.counters.nextVersion() : cell
    })
    return { index, before, after: withComputed(table, cells, scope), row: env.cells }
  })
  const places = new Map(changed.map(({ index, after }) => [index, after]))
  const after: Table = { ...table, rows: table.rows.map((row, index) => places.get(index) ?? row) }
  checkRows(
    after,
    changed.map((one) => one.after),
    'UPDATE',
    scope,
  )
  session.putTable(after)
  if (!session.isTemporary(table)) checkReferences(session.database, after, 'UPDATE')
  return { table, rows: changed, answer: writeOutput(statement.output, table, changed, relation.columns, scope) }
}

export function remove(statement: Delete, outer: Scope): Change {
  const { table, relation, scope, rows } = findRows(statement, outer)
  const { session } = scope
  const gone = new Set(rows.map(({ index }) => index))
  const after: Table = { ...table, rows: table.rows.filter((_, index) => !gone.has(index)) }
  session.putTable(after)
  if (!session.isTemporary(table)) {
    cascade(after, scope)
    checkReferences(session.database, after, 'DELETE')
  }
  const changed = rows.map(({ index, env }) => ({ before: table.rows[index] ?? null, after: null, row: env.cells }))
  return { table, rows: changed, answer: writeOutput(statement.output, table, changed, relation.columns, scope) }
}

/** ON DELETE CASCADE and SET NULL of the tables that refer to one. */
function cascade(table: Table, scope: Scope): void {
  const { session } = scope
  for (const other of tablesOf(session.database))
    for (const key of other.foreignKeys) {
      if (key.table !== table.id || key.onDelete === 'NO ACTION') continue
      const lost = new Set(orphans(session.database, other, key))
      if (lost.size === 0) continue
      const isNull = (index: number) => key.columns.includes(other.columns[index]?.id ?? -1)
      const rows =
        key.onDelete === 'CASCADE'
          ? other.rows.filter((row) => !lost.has(row))
          : other.rows.map((row) => (lost.has(row) ? row.map((cell, index) => (isNull(index) ? null : cell)) : row))
      session.putTable({ ...other, rows })
      cascade({ ...other, rows }, scope)
    }
}

/** What names mean inside a query, and the row that an expression is evaluated for. */

import { isSameName, type Row } from './database.ts'
import { ServerError } from './server-error.ts'
import type { Session } from './session.ts'
import type { Cte, Path } from './syntax.ts'
import { type Cell, familyOf, isExactCase, type SqlType } from './types.ts'

export type ScopeColumn = { readonly table: string | null; readonly name: string; readonly type: SqlType }

export type Scope = {
  readonly columns: readonly ScopeColumn[]
  readonly outer: Scope | null
  readonly ctes: readonly { readonly cte: Cte; readonly scope: Scope | null }[]
  /** Set while the list and HAVING of a grouped query are compiled: which columns may stand outside of aggregates. */
  readonly grouped: ReadonlySet<number> | null
  readonly session: Session
  /** Window functions of the query that is compiled. */
  readonly windows: Window[]
}

type Window = {
  readonly partition: readonly Compiled[]
  readonly order: readonly (Compiled & { readonly isDescending: boolean })[]
  readonly name: string
}

/** The row of a query and those of the queries around it. */
export type Env = {
  readonly cells: Row
  readonly outer: Env | null
  /** The rows of a group. */
  readonly rows?: readonly Row[]
  readonly windows?: readonly Cell[]
}

export type Compiled = {
  readonly type: SqlType
  /** FOR JSON writes its text as it is. */
  readonly isJson?: boolean
  /** Compared byte by byte, as a binary or case-sensitive collation has it. */
  readonly isExactCase?: boolean
  /** A column's own collation conflicts with that of another column (468); that of COLLATE wins. */
  readonly collated?: 'column' | 'explicit'
  run(env: Env): Cell
}

export type Relation = { readonly columns: readonly ScopeColumn[]; run(env: Env | null): readonly Row[] }

/** Finds a column by its path, from the inside out. Throws 207, 209 or 4104. */
export function resolveColumn(scope: Scope, path: Path): Compiled {
  const name = path.at(-1) ?? ''
  const table = path.at(-2) ?? null
  let depth = 0
  for (let here: Scope | null = scope; here; here = here.outer) {
    const found = here.columns.flatMap((column, index) =>
      isSameName(column.name, name) && (table === null || (column.table !== null && isSameName(column.table, table)))
        ? [index]
        : [],
    )
    const [index] = found
    if (found.length > 1) throw new ServerError(209, `Ambiguous column name '${name}'.`)
    if (index !== undefined) {
      const column = here.columns[index]
      if (!column) break
      if (here.grouped && !here.grouped.has(index))
        throw new ServerError(
          8120,
          `Column '${path.join('.')}' is invalid in the select list because it is not contained in either an aggregate function or the GROUP BY clause.`,
        )
      return { type: column.type, run: readCell(depth, index), ...columnCollation(column.type) }
    }
    depth++
  }
  if (table === null) throw new ServerError(207, `Invalid column name '${name}'.`)
  for (let here: Scope | null = scope; here; here = here.outer)
    if (here.columns.some((column) => column.table !== null && isSameName(column.table, table)))
      throw new ServerError(207, `Invalid column name '${name}'.`)
  throw new ServerError(4104, `The multi-part identifier "${path.join('.')}" could not be bound.`)
}

/** How texts of a column are compared. */
export const columnCollation = (type: SqlType): Pick<Compiled, 'isExactCase' | 'collated'> =>
  familyOf(type) === 'text' ? { isExactCase: isExactCase(type), collated: 'column' } : {}

function readCell(depth: number, index: number): (env: Env) => Cell {
  return (env) => {
    let here: Env | null = env
    for (let at = 0; at < depth; at++) here = here?.outer ?? null
    return here?.cells[index] ?? null
  }
}

export const innerScope = (scope: Scope, columns: readonly ScopeColumn[]): Scope => ({
  ...scope,
  columns,
  outer: scope,
  ctes: scope.ctes,
  grouped: null,
  windows: [],
})

/** Each CTE sees those before it. */
export function withCtes(outer: Scope, ctes: readonly Cte[]): Scope {
  let scope = outer
  for (const cte of ctes) scope = { ...scope, ctes: scope.ctes.concat({ cte, scope }) }
  return scope
}

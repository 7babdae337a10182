import { ApiError, Path } from '../../../errors.ts'
import type { RootQuery } from '../../../ir/index.ts'
import type { CompiledQuery, CompileOptions } from '../../backend.ts'
import { compileQueryText, print, printInlined, sql } from '../../sql.ts'
import { compileAggregateFields } from './aggregates.ts'
import { compileConnection } from './connection.ts'
import { compileCall, presentRow } from './function-call.ts'
import { keyedRows } from './keyed-rows.ts'
import {
  type Belongs,
  compileAnswer,
  compileOneAnswer,
  filteredRows,
  type Origin,
  orderedRows,
  originOf,
} from './rows.ts'
import { type Sql, type StatementContext, scopeOf, statementContext } from './scope.ts'
import { compileValue, lowerLimit } from './values.ts'

/** Of PostgreSQL's protocol, which counts in two bytes. */
export const MOST_VALUES = 65_535

/**
 * Compiles a root field to one statement that returns one row with one column, its JSON, or no row for null
 * (reference/queries). Throws validation-failed for one with more values than PostgreSQL accepts.
 */
export function compileQuery(query: RootQuery, options: CompileOptions): CompiledQuery {
  const compile = () => compileRoot(query, statementContext(options.stringifyNumericTypes, options.mostJoins))
  const { text, slots } = print(compile())
  if (slots.length > MOST_VALUES)
    throw new ApiError(
      'validation-failed',
      Path.root,
      `a root field compares with ${slots.length} values: at most ${MOST_VALUES} are allowed, a list counts as one`,
    )
  // compiled once more for explain: fragments take five times the memory of the query, and plans are cached
  const inlined: CompiledQuery['inlined'] = (show) => printInlined(compile(), show)
  return { text, slots, effects: mayDoMore(query) ? 'unknown' : 'none', inlined }
}

/** Whether a root field may do more than read: a function may be volatile, and what a native query calls is unknown. */
export function mayDoMore(query: RootQuery): boolean {
  if (query.kind === 'row' || query.kind === 'keyed') return false
  return query.call?.volatile === true || (query.kind === 'rows' && query.query !== undefined)
}

/** Compiles a root field to a query that returns one row with its JSON (`root`), or no row for null. */
export function compileRoot(query: RootQuery, statement: StatementContext): Sql {
  const unrelated = () => []
  switch (query.kind) {
    case 'keyed':
      return compileRoot(keyedRows(query), statement)
    case 'rows': {
      const limit = lowerLimit(query.rows.limit, query.rows.permissionLimit)
      const { origin, belongs } = rootOf(query, statement)
      const rows = orderedRows(origin, query.rows, limit, belongs, statement)
      return query.single ? compileOneAnswer(rows, query.fields) : compileAnswer(rows, query.fields, limit !== null)
    }
    case 'row':
      // no row is null by itself: a query around this one costs a sixth of a read by key
      return compileOneAnswer(filteredRows(originOf(query.from), query.where, unrelated, statement), query.fields)
    case 'connection': {
      const { origin, belongs } = rootOf(query, statement)
      return sql`SELECT to_json(${compileConnection(origin, query.connection, belongs, statement)}) AS "root"`
    }
    case 'aggregate': {
      const { origin, belongs } = rootOf(query, statement)
      return sql`SELECT to_json(${compileAggregateFields(origin, query.rows, query.fields, belongs, statement)}) AS "root"`
    }
  }
}

type RootRows = Exclude<RootQuery, { readonly kind: 'row' | 'keyed' }>

/** The table of a root field, or the function or query that returns its rows. */
function rootOf(root: RootRows, statement: StatementContext): { origin: Origin; belongs: Belongs } {
  const { from, call } = root
  if (root.kind === 'rows' && root.query)
    return { origin: { table: from, from: compileQueryText(root.query, compileValue) }, belongs: () => [] }
  if (!call) return { origin: originOf(from), belongs: () => [] }
  // no row is around to be an argument
  const nowhere = scopeOf(statement.nextAlias(), statement)
  return {
    origin: { table: from, from: compileCall(call, nowhere) },
    belongs: (row) => presentRow(call, row.row),
  }
}

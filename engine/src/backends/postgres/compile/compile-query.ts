import type { RootQuery } from '../../../ir/index.ts'
import type { CompiledQuery, CompileOptions } from '../../backend.ts'
import { literal, print, printInlined, sql } from '../../sql.ts'
import { compileAggregateFields } from './aggregates.ts'
import { compileList, compileOne, filteredRows, orderedRows, originOf } from './rows.ts'
import { type Sql, type StatementContext, statementContext } from './scope.ts'
import { lowerLimit } from './values.ts'

/** A root field as one statement that gives one row with one column: its JSON (spec 02 §3). */
export function compileQuery(query: RootQuery, options: CompileOptions): CompiledQuery {
  const statement = statementContext(options.stringifyNumericTypes)
  const fragment = compileRoot(query, statement)
  const { text, slots } = print(fragment)
  const inlined: CompiledQuery['inlined'] = (show) =>
    printInlined(fragment, (slot) => {
      const value = show(slot)
      return value === null ? sql`NULL` : literal(value)
    })
  return { text, slots, inlined }
}

function compileRoot(query: RootQuery, statement: StatementContext): Sql {
  const unrelated = () => []
  switch (query.kind) {
    case 'rows': {
      const limit = lowerLimit(query.rows.limit, query.rows.permissionLimit)
      return compileList(orderedRows(originOf(query.from), query.rows, limit, unrelated, statement), query.fields)
    }
    case 'row': {
      const one = compileOne(filteredRows(originOf(query.from), query.where, unrelated, statement), query.fields)
      return sql`SELECT COALESCE((${one}), 'null') AS "root"`
    }
    case 'aggregate':
      return sql`SELECT ${compileAggregateFields(originOf(query.from), query.rows, query.fields, unrelated, statement)} AS "root"`
  }
}

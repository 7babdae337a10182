import type { FunctionArgument, FunctionCall } from '../../../ir/index.ts'
import { ident, join, sql, tableName } from '../../sql.ts'
import type { Scope, Sql } from './scope.ts'
import { compileValue } from './values.ts'

/**
 * A function called for the row of a scope (reference/filters#relationships-and-computed-fields,
 * reference/database-objects#tracked-functions).
 */
export function compileCall({ function: name, arguments: given }: FunctionCall, scope: Scope): Sql {
  const args = given.map(({ name: by, of }) => {
    const value = compileArgument(of, scope)
    return by === null ? value : sql`${ident(by)} => ${value}`
  })
  return sql`${tableName(name)}(${join(args, sql`, `)})`
}

function compileArgument(of: FunctionArgument['of'], scope: Scope): Sql {
  switch (of.kind) {
    case 'row':
      return wholeRow(scope)
    case 'column':
      return sql`${scope.row}.${ident(of.name)}`
    case 'value':
      return compileValue(of.value)
  }
}

/** A function without a result returns a row of NULLs, unless it returns a set. */
export const presentRow = ({ set }: FunctionCall, row: Scope['row']): readonly Sql[] =>
  set ? [] : [sql`(NOT (${row}.* IS NULL))`]

const wholeRow = ({ row, rowType }: Scope): Sql => (rowType ? sql`ROW(${row}.*)::${tableName(rowType)}` : sql`${row}.*`)

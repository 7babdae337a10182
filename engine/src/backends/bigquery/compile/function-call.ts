import type { FunctionArgument, FunctionCall } from '../../../ir/index.ts'
import { join, sql, tableName } from '../../sql.ts'
import { columnOf, type Scope, type Sql } from './scope.ts'
import { compileValue } from './values.ts'

/** Compiles a table function that is called for the row of a scope, with all arguments in their order. */
export const compileCall = ({ function: name, arguments: given }: FunctionCall, scope: Scope): Sql =>
  sql`${tableName(name)}(${join(
    given.map(({ of }) => compileArgument(of, scope)),
    sql`, `,
  )})`

function compileArgument(of: FunctionArgument['of'], scope: Scope): Sql {
  switch (of.kind) {
    case 'row':
      throw new TypeError('functions of BigQuery take no rows')
    case 'column':
      return columnOf(scope.row, of.name)
    case 'value':
      return compileValue(of.value, scope.statement)
  }
}

import type { FunctionCall } from '../../../ir/index.ts'
import { ident, join, sql } from '../../sql.ts'
import { type Scope, type Sql, tableName } from './scope.ts'
import { compileValue } from './values.ts'

/** A table function called for the row of a scope, its arguments by name. */
export function compileCall({ function: name, arguments: given }: FunctionCall, scope: Scope): Sql {
  const args = given.map(({ name: by, of }) => {
    if (of.kind === 'row') throw new TypeError('functions of BigQuery take no rows')
    const value = compileValue(of.value, scope.statement)
    return by === null ? value : sql`${ident(by)} => ${value}`
  })
  return sql`${tableName(name)}(${join(args, sql`, `)})`
}

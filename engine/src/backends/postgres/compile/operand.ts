/** Recursion: an operand may be a value for the rows for which a condition is true, and conditions compare operands. */
import type { Operand } from '../../../ir/index.ts'
import { compileJoin, compileWhere, ident, join, sql } from '../../sql.ts'
import { compileBooleanExpression, joinedRows } from './boolean-expression.ts'
import { typeName } from './cast.ts'
import { compileCall } from './function-call.ts'
import type { Scope, Sql } from './scope.ts'

export function compileOperand(operand: Operand, scope: Scope): Sql {
  scope.statement.countOperand()
  switch (operand.kind) {
    case 'column':
      return sql`${operand.of === 'row' ? scope.row : scope.root}.${ident(operand.name)}`
    case 'cast':
      return sql`(${compileOperand(operand.of, scope)})::${typeName(operand.to)}`
    case 'computed':
      return compileCall(operand.call, scope)
    case 'masked': {
      const where = compileBooleanExpression(operand.where, { ...scope, root: scope.row, isConjunct: false })
      return sql`(CASE WHEN ${where} THEN ${compileOperand(operand.of, scope)} END)`
    }
    case 'aggregate':
      return scope.statement.reach(() => compileAggregateOperand(operand, scope))
  }
}

/** One value for each row, as a query of its own: the other side of its columns is indexed where it matters. */
function compileAggregateOperand(
  { join: by, where, function: name, of, distinct }: Operand & { readonly kind: 'aggregate' },
  scope: Scope,
): Sql {
  const row = scope.statement.nextAlias()
  const inside = { ...scope, row, rowType: null }
  const values = of.map((one) => compileOperand(one, inside))
  const call =
    name === 'count'
      ? countCall(values, distinct)
      : sql`${ident(name)}(${distinct ? sql`DISTINCT ` : sql``}${join(values, sql`, `)})`
  const condition = compileWhere([compileJoin(by, scope.row, row), compileBooleanExpression(where, inside)])
  return sql`(SELECT ${call} FROM ${joinedRows(by)} AS ${row}${condition})`
}

/**
 * Without columns `distinct` means nothing; several columns count as one tuple
 * (reference/graphql-schema#generated-types).
 */
export function countCall(columns: readonly Sql[], distinct: boolean): Sql {
  if (columns.length === 0) return sql`count(*)`
  const [only] = columns
  const counted = columns.length === 1 && only ? only : sql`(${join(columns, sql`, `)})`
  return sql`count(${distinct ? sql`DISTINCT ` : sql``}${counted})`
}

import type { DatabaseType, Operand } from '../../../ir/index.ts'
import { ident, sql } from '../../sql.ts'
import { compileBooleanExpression } from './boolean-expression.ts'
import { typeName } from './cast.ts'
import { compileCall } from './function-call.ts'
import type { Scope, Sql } from './scope.ts'

export function compileOperand(operand: Operand, scope: Scope): Sql {
  switch (operand.kind) {
    case 'column':
      return sql`${operand.of === 'row' ? scope.row : scope.root}.${ident(operand.name)}`
    case 'cast':
      return sql`(${compileOperand(operand.of, scope)})::${typeName(operand.to)}`
    case 'computed':
      return compileCall(operand.call, scope)
    case 'masked': {
      const where = compileBooleanExpression(operand.where, { ...scope, root: scope.row })
      return sql`(CASE WHEN ${where} THEN ${compileOperand(operand.of, scope)} END)`
    }
  }
}

export function operandType(operand: Operand): DatabaseType {
  switch (operand.kind) {
    case 'cast':
      return operand.to
    case 'masked':
      return operandType(operand.of)
    case 'column':
    case 'computed':
      return operand.type
  }
}

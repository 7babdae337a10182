import type { Operand } from '../../../ir/index.ts'
import { ident, sql } from '../../sql.ts'
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
  }
}

export const operandType = (operand: Operand) => (operand.kind === 'cast' ? operand.to : operand.type)

/** Recursion: an operand may be a value for the rows for which a condition is true, and conditions compare operands. */
import type { Operand } from '../../../ir/index.ts'
import { ident, sql } from '../../sql.ts'
import { compileBooleanExpression } from './boolean-expression.ts'
import { notServed, type Scope, type Sql } from './scope.ts'

const asItIs = (value: Sql): Sql => value

/** `show`: what is made of the column itself, inside of what masks it. */
export function compileOperand(operand: Operand, scope: Scope, show: (value: Sql) => Sql = asItIs): Sql {
  switch (operand.kind) {
    case 'column':
      return show(sql`${operand.of === 'row' ? scope.row : scope.root}.${ident(operand.name)}`)
    case 'masked': {
      const where = compileBooleanExpression(operand.where, { ...scope, root: scope.row })
      return sql`CASE WHEN ${where} THEN ${compileOperand(operand.of, scope, show)} ELSE NULL END`
    }
    case 'cast':
      return notServed('casts')
    case 'computed':
      return notServed('Computed fields')
    case 'aggregate':
      return notServed('aggregates in conditions')
  }
}

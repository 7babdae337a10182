/** Recursion: an operand may be a value for the rows for which a condition is true, and conditions compare operands. */
import type { DatabaseType, Operand } from '../../../ir/index.ts'
import { sql } from '../../sql.ts'
import { compileBooleanExpression } from './boolean-expression.ts'
import { columnOf, type Scope, type Sql } from './scope.ts'
import { fromText } from './values.ts'

export function compileOperand(operand: Operand, scope: Scope): Sql {
  switch (operand.kind) {
    case 'column':
      return columnOf(operand.of === 'row' ? scope.row : scope.root, operand.name)
    case 'cast':
      return fromText(compileOperand(operand.of, scope), operand.to)
    case 'masked': {
      const where = compileBooleanExpression(operand.where, { ...scope, root: scope.row })
      return sql`(CASE WHEN ${where} THEN ${compileOperand(operand.of, scope)} END)`
    }
    case 'computed':
    case 'aggregate':
      throw new TypeError(`BigQuery has no values that are ${operand.kind}`)
  }
}

/** Returns the value as something that rows may be grouped, partitioned and compared by. */
export function groupable(value: Sql, { name }: DatabaseType): Sql {
  if (name === 'JSON' || name.startsWith('ARRAY<')) return sql`TO_JSON_STRING(${value})`
  if (name === 'GEOGRAPHY') return sql`ST_ASTEXT(${value})`
  return name === 'FLOAT64' ? sql`CAST(${value} AS STRING)` : value
}

import type { Join, RowField } from '../../../ir/index.ts'
import { join, literal, sql } from '../../sql.ts'
import { compileAggregateFields } from './aggregates.ts'
import { compileJoin } from './boolean-expression.ts'
import { columnJson } from './column-json.ts'
import { type Entry, listOf, objectOf } from './json-shapes.ts'
import { compileOperand, operandType } from './operand.ts'
import { filteredRows, orderedRows } from './rows.ts'
import type { Scope, Sql } from './scope.ts'
import { lowerLimit } from './values.ts'

/** The members of a row's object, in the order of the selection. */
export function compileFields(fields: readonly RowField[], scope: Scope): readonly Entry[] {
  return fields.map((field) => ({ key: field.as, value: compileField(field, scope) }))
}

function compileField(field: RowField, scope: Scope): Sql {
  const { statement } = scope
  switch (field.kind) {
    case 'typename':
      return sql`${literal(field.name)}::text`
    case 'column':
      return compileColumn(field, scope)
    case 'object': {
      const target = filteredRows(field.join.table, field.where, belongingTo(field.join, scope), statement)
      return sql`(${objectOf(compileFields(field.fields, target.scope), sql`${target.from} LIMIT 1`)})`
    }
    case 'array': {
      const limit = lowerLimit(field.rows.limit, field.rows.permissionLimit)
      const target = orderedRows(field.join.table, field.rows, limit, belongingTo(field.join, scope), statement)
      return sql`(${listOf(compileFields(field.fields, target.scope), target.from)})`
    }
    case 'aggregate':
      return compileAggregateFields(
        field.join.table,
        field.rows,
        field.fields,
        belongingTo(field.join, scope),
        statement,
      )
  }
}

const belongingTo = (by: Join, outer: Scope) => (row: Scope) => [compileJoin(by, outer.row, row.row)]

/** A json column's `path` is a list of keys (spec 02 §1.4). */
function compileColumn(field: RowField & { kind: 'column' }, scope: Scope): Sql {
  const value = compileOperand(field.of, scope)
  if (field.path.length > 0) return sql`${value} #> ARRAY[${join(field.path.map(literal), sql`, `)}]::text[]`
  return columnJson(value, operandType(field.of), scope.statement.stringifyNumericTypes)
}

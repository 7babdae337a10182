/** Recursion: rows have fields that are rows and aggregates in turn. */

import { ApiError, Path } from '../../../errors.ts'
import { type Join, operandType, type RowField, type Rows } from '../../../ir/index.ts'
import { compileWhere, join, sql } from '../../sql.ts'
import type { ValueShape } from '../statement-shape.ts'
import { isRepeated } from '../types/database-type.ts'
import { scalarShape } from '../types/known-types.ts'
import { absentAggregates, compileAggregates } from './aggregates.ts'
import { compileBooleanExpression, joinedRows } from './boolean-expression.ts'
import { compileCall } from './function-call.ts'
import { joinGrouped } from './join-grouped.ts'
import { compileOperand } from './operand.ts'
import { compileAggregateOrder, compileOrderBy } from './order-by.ts'
import { allRows, compileLimits, compileSource, cutsOf, type Origin } from './rows.ts'
import { type Scope, type Sql, scopeOf } from './scope.ts'
import { compileColumns, compileStruct, type Selected, type SelectedValue, selectFields } from './selected.ts'
import { compileLimit } from './values.ts'

/** Compiles the fields of a row in the order of the selection; what they need is joined to the scope's row. */
export const compileFields = (fields: readonly RowField[], scope: Scope): Selected =>
  selectFields(fields, (field) => compileField(field, scope))

export const shapeOfType = (type: Parameters<typeof scalarShape>[0]): ValueShape => ({
  kind: 'scalar',
  type: scalarShape(type),
  list: isRepeated(type),
})

function compileField(field: Exclude<RowField, { readonly kind: 'typename' }>, scope: Scope): SelectedValue {
  const { statement } = scope
  switch (field.kind) {
    case 'column':
      return { value: compileOperand(field.of, scope), shape: shapeOfType(operandType(field.of)) }
    case 'nested':
      return compileNested(field, scope)
    case 'object':
      // no key says that there is one row at most
      return compileRelated('or_', field.join, { ...allRows, where: field.where }, null, scope, (target) => {
        const selected = compileFields(field.fields, target)
        return {
          value: sql`ANY_VALUE(${compileStruct(selected)})`,
          shape: { kind: 'object', members: selected.members, absent: 'null' },
        }
      })
    case 'array': {
      const { rows } = field
      const { value, shape } = compileRelated('ar_', field.join, rows, { limit: false }, scope, (target) => {
        const selected = compileFields(field.fields, target)
        return { value: compileList(selected, rows, target), shape: { kind: 'list', members: selected.members } }
      })
      // NULL cannot stand where a row of another list has a list
      return { value: sql`IFNULL(${value}, [])`, shape }
    }
    case 'aggregate':
      return compileRelated('aa_', field.join, field.rows, { limit: true }, scope, (target) => {
        const selected = compileAggregates(field.fields, field.rows, target)
        const absent = absentAggregates(field.fields)
        return { value: compileStruct(selected), shape: { kind: 'object', members: selected.members, absent } }
      })
    case 'computed': {
      const { call, rows } = field
      statement.reach()
      const called = compileCall(call, scope)
      const origin = { name: call.function.name, from: sql`UNNEST(ARRAY(SELECT AS STRUCT * FROM ${called}))` }
      const { text, selected } = compileRows(origin, rows, field.fields, scope)
      return { value: sql`ARRAY(SELECT AS STRUCT ${text})`, shape: { kind: 'list', members: selected.members } }
    }
    case 'connection':
    case 'computed-connection':
    case 'node-id':
      throw new ApiError('not-supported', Path.root, 'BigQuery sources are not in the Relay schema')
  }
}

/** Joins one value of the rows that a relationship leads to; `window`: which limits cut them before. */
function compileRelated(
  prefix: string,
  by: Join,
  rows: Rows,
  window: Parameters<typeof cutsOf>[1],
  scope: Scope,
  compile: (target: Scope) => SelectedValue,
): SelectedValue {
  const { statement } = scope
  statement.reach()
  const target = scopeOf(statement, 't_', by.table)
  const { value, shape } = compile(target)
  const origin = { name: by.table.name, from: joinedRows(by, statement) }
  const keys = by.columns.map(({ to }) => to)
  const source = () => compileSource(origin, rows, cutsOf(rows, window), keys, target)
  return { value: joinGrouped({ by, target, value, source, prefix }, scope), shape }
}

/**
 * Compiles a list of rows to what is after SELECT, with its limits. `uncut`: all rows, whatever the limit of the
 * source.
 */
export function compileRows(
  origin: Origin,
  rows: Rows,
  fields: readonly RowField[],
  { statement }: Pick<Scope, 'statement'>,
  uncut = false,
): { readonly text: Sql; readonly selected: Selected } {
  const scope = scopeOf(statement, 't_', origin)
  const selected = compileFields(fields, scope)
  const columns = compileColumns(selected)
  const order = compileOrderBy(rows.orderBy, scope)
  const { from, where } = compileSource(origin, rows, cutsOf(rows, null), [], scope)
  const limits = { user: rows.limit, permission: rows.permissionLimit, global: !uncut }
  const cut = compileLimits(limits, rows.offset, scope)
  return {
    text: sql`${columns} FROM ${from}${join(scope.joins, sql``)}${compileWhere(where)}${order}${cut}`,
    selected,
  }
}

/** Compiles the rows of a group to an array, cut to the limits. */
export function compileList(selected: Selected, { orderBy, limit, permissionLimit }: Rows, scope: Scope): Sql {
  const most = compileLimit({ user: limit, permission: permissionLimit, global: true }, scope.statement)
  return sql`ARRAY_AGG(${compileStruct(selected)}${compileAggregateOrder(orderBy, scope)} LIMIT ${most})`
}

/** The rows inside a RECORD. */
function compileNested(field: Extract<RowField, { readonly kind: 'nested' }>, scope: Scope): SelectedValue {
  const { statement } = scope
  const value = compileOperand(field.of, scope)
  const inside = scopeOf(statement, 'e_', field.table)
  const selected = compileFields(field.fields, inside)
  const where = compileWhere([compileBooleanExpression(field.where, inside)])
  const { alias } = inside.row
  const rows = (list: Sql) =>
    sql`SELECT AS STRUCT ${compileColumns(selected)} FROM UNNEST(${list}) AS ${alias}${join(inside.joins, sql``)}${where}`
  return field.list
    ? { value: sql`ARRAY(${rows(value)})`, shape: { kind: 'list', members: selected.members } }
    : {
        value: sql`IF(${value} IS NULL, NULL, (${rows(sql`[${value}]`)}))`,
        shape: { kind: 'object', members: selected.members, absent: 'null' },
      }
}

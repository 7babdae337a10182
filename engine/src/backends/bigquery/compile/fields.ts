/** Recursion: rows have fields that are rows and aggregates in turn. */

import { ApiError, Path } from '../../../errors.ts'
import type { RowField, Rows } from '../../../ir/index.ts'
import { join, sql } from '../../sql.ts'
import type { MemberShape, ValueShape } from '../statement-shape.ts'
import { isRepeated } from '../types/database-type.ts'
import { scalarShape } from '../types/known-types.ts'
import { absentAggregates, compileAggregates } from './aggregates.ts'
import { compileBooleanExpression, compileWhere, joinedRows } from './boolean-expression.ts'
import { compileCall } from './function-call.ts'
import { joinGrouped } from './join-grouped.ts'
import { compileOperand, operandType } from './operand.ts'
import { compileAggregateOrder, compileOrderBy } from './order-by.ts'
import { compileLimits, compileSource, cutsOf, type Origin } from './rows.ts'
import { type Scope, type Sql, scopeOf } from './scope.ts'
import { compileColumns, compileStruct, type Selected } from './selected.ts'
import { compileLimit } from './values.ts'

/** Compiles the fields of a row in the order of the selection; what they need is joined to the scope's row. */
export function compileFields(fields: readonly RowField[], scope: Scope): Selected {
  const columns: { as: string; value: Sql }[] = []
  const members = fields.map((field): MemberShape => {
    if (field.kind === 'typename') return { key: field.as, of: { kind: 'typename', name: field.name } }
    const { value, shape } = compileField(field, scope)
    columns.push({ as: field.as, value })
    return { key: field.as, of: shape }
  })
  return { columns, members }
}

interface Field {
  readonly value: Sql
  readonly shape: ValueShape
}

export const shapeOfType = (type: Parameters<typeof scalarShape>[0]): ValueShape => ({
  kind: 'scalar',
  type: scalarShape(type),
  list: isRepeated(type),
})

function compileField(field: Exclude<RowField, { readonly kind: 'typename' }>, scope: Scope): Field {
  const { statement } = scope
  switch (field.kind) {
    case 'column':
      return { value: compileOperand(field.of, scope), shape: shapeOfType(operandType(field.of)) }
    case 'nested':
      return compileNested(field, scope)
    case 'object': {
      const { join: by, where } = field
      statement.reach()
      const target = scopeOf(statement, 't_', by.table)
      const selected = compileFields(field.fields, target)
      // no key says that there is one row at most
      const value = sql`ANY_VALUE(${compileStruct(selected)})`
      const origin = { name: by.table.name, from: joinedRows(by, statement) }
      const source = () => compileSource(origin, { where, orderBy: [] }, [], [], target)
      return {
        value: joinGrouped({ by, target, value, source, prefix: 'or_' }, scope),
        shape: { kind: 'object', members: selected.members, absent: 'null' },
      }
    }
    case 'array': {
      const { join: by, rows } = field
      statement.reach()
      const target = scopeOf(statement, 't_', by.table)
      const selected = compileFields(field.fields, target)
      const value = compileList(selected, rows, target)
      const origin = { name: by.table.name, from: joinedRows(by, statement) }
      const keys = by.columns.map(({ to }) => to)
      const source = () => compileSource(origin, rows, cutsOf(rows, { limit: false }), keys, target)
      // NULL cannot stand where a row of another list has a list
      return {
        value: sql`IFNULL(${joinGrouped({ by, target, value, source, prefix: 'ar_' }, scope)}, [])`,
        shape: { kind: 'list', members: selected.members },
      }
    }
    case 'aggregate': {
      const { join: by, rows } = field
      statement.reach()
      const target = scopeOf(statement, 't_', by.table)
      const selected = compileAggregates(field.fields, rows, target)
      const value = compileStruct(selected)
      const origin = { name: by.table.name, from: joinedRows(by, statement) }
      const keys = by.columns.map(({ to }) => to)
      const source = () => compileSource(origin, rows, cutsOf(rows, { limit: true }), keys, target)
      return {
        value: joinGrouped({ by, target, value, source, prefix: 'aa_' }, scope),
        shape: { kind: 'object', members: selected.members, absent: absentAggregates(field.fields) },
      }
    }
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
function compileNested(field: Extract<RowField, { readonly kind: 'nested' }>, scope: Scope): Field {
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

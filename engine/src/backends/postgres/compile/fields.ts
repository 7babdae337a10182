import { type Join, operandType, type RowField } from '../../../ir/index.ts'
import { compileJoin, ident, join, literal, sql, tableName } from '../../sql.ts'
import { compileAggregateFields } from './aggregates.ts'
import { compileBooleanExpression } from './boolean-expression.ts'
import { columnJson, typeName } from './cast.ts'
import { compileConnection } from './connection.ts'
import { compileNodeId } from './cursor.ts'
import { compileCall, presentRow } from './function-call.ts'
import { type JsonEntry, joinedObject } from './json-shapes.ts'
import { compileOperand } from './operand.ts'
import { type Belongs, compileList, compileOne, filteredRows, orderedRows, reachedBy } from './rows.ts'
import { type Scope, type Sql, scopeOf } from './scope.ts'
import { lowerLimit } from './values.ts'

/** The members of a row's object in the order of the selection, and what has to be joined to the row for them. */
export interface Fields {
  readonly entries: readonly JsonEntry[]
  readonly joins: readonly Sql[]
}

interface Field {
  readonly value: Sql
  readonly joins?: readonly Sql[]
}

/** How many more tables may be joined to the rows of one FROM. */
export interface JoinBudget {
  left: number
}

/** The time of planning grows with their cube: 10 cost 20 ms at most, 40 would cost 2 s. Other rows are found one by one. */
export const joinBudget = (): JoinBudget => ({ left: 10 })

/** `budget`: none where the order of the rows may not change. */
export function compileFields(fields: readonly RowField[], scope: Scope, budget: JoinBudget): Fields {
  const compiled = fields.map((field) => {
    const compile = () => compileField(field, scope, budget)
    return { key: field.as, ...(isPlain(field) ? compile() : scope.statement.reach(compile)) }
  })
  return {
    entries: compiled.map(({ key, value }) => ({ key, value })),
    joins: compiled.flatMap(({ joins }) => joins ?? []),
  }
}

/** Of the row itself. */
const isPlain = ({ kind }: RowField): boolean => kind === 'typename' || kind === 'column' || kind === 'node-id'

function compileField(field: RowField, scope: Scope, budget: JoinBudget): Field {
  const { statement } = scope
  switch (field.kind) {
    case 'typename':
      return { value: sql`${literal(field.name)}::text` }
    case 'column':
      return { value: compileColumn(field, scope) }
    case 'nested':
      return { value: compileNestedRows(field, scope) }
    case 'object': {
      if (budget.left > 0 && field.join.unique) return joinObject(field, scope, budget)
      const target = filteredRows(reachedBy(field.join), field.where, belongingTo(field.join, scope), statement)
      return { value: sql`(${compileOne(target, field.fields)})` }
    }
    case 'array': {
      const limit = lowerLimit(field.rows.limit, field.rows.permissionLimit)
      const target = orderedRows(reachedBy(field.join), field.rows, limit, belongingTo(field.join, scope), statement)
      return { value: compileList(target, field.fields) }
    }
    case 'computed': {
      const { call, table, rows, fields } = field
      const limit = lowerLimit(rows.limit, rows.permissionLimit)
      const origin = { table, from: compileCall(call, scope) }
      const target = orderedRows(origin, rows, limit, (row) => presentRow(call, row.row), statement)
      return { value: compileList(target, fields) }
    }
    case 'connection': {
      const belongs = belongingTo(field.join, scope)
      return { value: compileConnection(reachedBy(field.join), field.connection, belongs, statement) }
    }
    case 'computed-connection': {
      const { call, table } = field
      const origin = { table, from: compileCall(call, scope) }
      const belongs: Belongs = (row) => presentRow(call, row.row)
      return { value: compileConnection(origin, field.connection, belongs, statement) }
    }
    case 'node-id':
      return { value: compileNodeId(field.prefix, field.key, scope) }
    case 'aggregate': {
      const belongs = belongingTo(field.join, scope)
      return { value: compileAggregateFields(reachedBy(field.join), field.rows, field.fields, belongs, statement) }
    }
  }
}

const belongingTo =
  (by: Join, outer: Scope): Belongs =>
  (row) => [compileJoin(by, outer.row, row.row)]

/** A left join, since it finds one row at most: the planner is free to hash. */
function joinObject(field: RowField & { kind: 'object' }, scope: Scope, budget: JoinBudget): Field {
  budget.left -= 1
  const target = scopeOf(scope.statement.nextAlias(), scope.statement)
  const inner = compileFields(field.fields, target, budget)
  const filter =
    field.where.kind === 'and' && field.where.of.length === 0 ? [] : [compileBooleanExpression(field.where, target)]
  const on = join([compileJoin(field.join, scope.row, target.row), ...filter], sql` AND `)
  const object = joinedObject(inner.entries, scope.statement.nextAlias())
  const [reached] = field.join.columns
  return {
    joins: [sql` LEFT JOIN ${tableName(field.join.table)} AS ${target.row} ON ${on}`, ...inner.joins, object.join],
    // a column that was compared is not NULL unless no row was found
    value: sql`CASE WHEN ${target.row}.${ident(reached?.to ?? '')} IS NOT NULL THEN ${object.record} END`,
  }
}

/** A json column's `path` is a list of keys (reference/graphql-schema#object-types). */
function compileColumn(field: RowField & { kind: 'column' }, scope: Scope): Sql {
  const value = compileOperand(field.of, scope)
  if (field.capitals) return sql`upper((${value})::text)`
  if (field.path.length > 0) return sql`${value} #> ARRAY[${join(field.path.map(literal), sql`, `)}]::text[]`
  return columnJson(value, operandType(field.of), scope.statement.stringifyNumericTypes)
}

/**
 * The object or list inside a JSON or composite value, its members read as what their columns are declared to be, so
 * that filters and fields are those of any row (reference/database-objects#native-queries). NULL where it is none.
 */
function compileNestedRows(field: RowField & { kind: 'nested' }, scope: Scope): Sql {
  const { statement } = scope
  const json = sql`to_json(${compileOperand(field.of, scope)})`
  const row = statement.nextAlias()
  const columns = field.columns.map(({ name, type }) => sql`${ident(name)} ${typeName(type)}`)
  const element = statement.nextAlias()
  const elements = field.list ? sql`json_array_elements(${json})` : sql`(SELECT ${json})`
  const objects = sql`(SELECT ${row}.* FROM ${elements} AS ${element} ("v"), LATERAL json_to_record(${element}."v") AS ${row} (${join(columns, sql`, `)}) WHERE json_typeof(${element}."v") = 'object')`
  const source = filteredRows({ table: field.table, from: objects }, field.where, () => [], statement)
  const rows = field.list ? compileList(source, field.fields) : sql`(${compileOne(source, field.fields)})`
  return sql`CASE WHEN json_typeof(${json}) = ${field.list ? sql`'array'` : sql`'object'`} THEN ${rows} END`
}

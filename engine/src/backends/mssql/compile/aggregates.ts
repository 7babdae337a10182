import { type AggregateField, type AggregateValue, type Operand, operandType, type Rows } from '../../../ir/index.ts'
import { ident, join, sql } from '../../sql.ts'
import { aggregateCall } from './aggregate-call.ts'
import { comparable } from './cast.ts'
import { compileCount, lowerLimit } from './counts.ts'
import { type JsonEntry, jsonList, jsonValue, noRows, objectOf, typename } from './json-shapes.ts'
import { compileOperand } from './operand.ts'
import { type Belongs, compileList, type Origin, orderedRows, type Source, unordered } from './rows.ts'
import type { Sql, StatementContext } from './scope.ts'

/**
 * Compiles `T_aggregate` (reference/queries#aggregates) to a query that returns its JSON: aggregates are over the rows
 * that the user's limit leaves, in the order that nodes have; nodes are cut by the permission's limit too.
 */
export function compileAggregateFields(
  origin: Origin,
  rows: Rows,
  fields: readonly AggregateField[],
  belongs: Belongs,
  statement: StatementContext,
): Sql {
  const entryOf = (field: AggregateField): JsonEntry => {
    switch (field.kind) {
      case 'typename':
        return typename(field)
      case 'aggregate': {
        const limit = lowerLimit(rows.limit, null)
        const selected = orderedRows(origin, rows, compileCount(rows.limit) && limit, belongs, statement)
        const source = unordered(selected, origin.table)
        return { key: field.as, value: jsonValue(sql`(${compileAggregates(field.fields, source)})`) }
      }
      case 'nodes': {
        const limit = lowerLimit(rows.limit, rows.permissionLimit)
        const nodes = compileList(orderedRows(origin, rows, limit, belongs, statement), field.fields)
        return { key: field.as, value: jsonList(sql`(${nodes})`) }
      }
    }
  }
  return objectOf(fields.map(entryOf), noRows)
}

/** The aggregates are columns of one row, of which the objects are made. */
function compileAggregates(values: readonly AggregateValue[], source: Source): Sql {
  const row = source.scope.statement.alias('t', 'agg')
  const columns: Sql[] = []
  const masks: Sql[] = []
  const call = (aggregate: Sql): Sql => {
    const name = ident(`a${columns.length}`)
    columns.push(sql`${aggregate} AS ${name}`)
    return sql`${row}.${name}`
  }
  // nothing is aggregated over an expression that holds a query, as a mask may: it is a column of its own
  const argument = (of: Operand): Sql => {
    const value = compileOperand(of, source.scope)
    if (of.kind !== 'masked') return value
    const mask = source.scope.statement.alias('t', 'masked')
    masks.push(sql` CROSS APPLY (SELECT ${value} AS [v]) AS ${mask}`)
    return sql`${mask}.[v]`
  }
  const entryOf = (value: AggregateValue): JsonEntry => {
    switch (value.kind) {
      case 'typename':
        return typename(value)
      case 'count': {
        const [of] = value.of
        if (!of) return { key: value.as, value: call(sql`COUNT_BIG(*)`) }
        const counted = comparable(argument(of), operandType(of))
        return { key: value.as, value: call(sql`COUNT_BIG(${value.distinct ? sql`DISTINCT ` : sql``}${counted})`) }
      }
      case 'operator': {
        const members = value.fields.map((field): JsonEntry => {
          if (field.kind === 'typename') return typename(field)
          const aggregate = aggregateCall(value.operator, argument(field.of), operandType(field.of))
          return { key: field.as, value: call(aggregate) }
        })
        return { key: value.as, value: jsonValue(sql`(${objectOf(members, noRows)})`) }
      }
    }
  }
  const entries = values.map(entryOf)
  if (columns.length === 0) return objectOf(entries, noRows)
  const from = sql`${source.from}${join(masks, sql``)}${source.where}`
  return objectOf(entries, { ...noRows, from: sql`(SELECT ${join(columns, sql`, `)} FROM ${from}) AS ${row}` })
}

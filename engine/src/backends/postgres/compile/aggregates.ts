import { type AggregateField, type AggregateValue, operandType, type Rows } from '../../../ir/index.ts'
import { ident, integer, join, literal, sql } from '../../sql.ts'
import { compileAggregateCall } from './aggregate-call.ts'
import { isStringified } from './cast.ts'
import { type JsonEntry, joinedObject, jsonFrom, MOST_COLUMNS, objectFrom } from './json-shapes.ts'
import { compileOperand, countCall } from './operand.ts'
import { type Belongs, compileList, filteredRows, type Origin, orderedRows, type Source, selection } from './rows.ts'
import type { Scope, Sql, StatementContext } from './scope.ts'
import { compileCount, lowerLimit } from './values.ts'

/**
 * Compiles `T_aggregate` (reference/queries#aggregates): aggregates are over the rows that the user's limit leaves,
 * whatever the permission's limit is; nodes are cut by that too.
 */
export function compileAggregateFields(
  origin: Origin,
  rows: Rows,
  fields: readonly AggregateField[],
  belongs: Belongs,
  statement: StatementContext,
): Sql {
  const kinds = new Set(fields.map(({ kind }) => kind))
  const limit = compileCount(rows.limit)
  if (kinds.has('aggregate') && kinds.has('nodes')) {
    // both see the same rows, whatever the order of equal ones: read once
    const selected = orderedRows(origin, rows, limit, belongs, statement)
    const name = statement.nextAlias()
    const again = (cut: Sql) => selection(sql`SELECT * FROM ${name}${cut}`, origin.table, rows.orderBy, statement)
    const cut = rows.permissionLimit === null ? sql`` : sql` LIMIT ${integer(rows.permissionLimit)}`
    const object = objectFrom(
      fields.map((field) =>
        compileField(
          field,
          () => again(sql``),
          () => again(cut),
        ),
      ),
    )
    const select = sql`SELECT ${selected.scope.row}.* FROM ${selected.from}${selected.where}`
    return sql`(WITH ${name} AS MATERIALIZED (${select}) SELECT ${object})`
  }
  const aggregated = () =>
    limit || rows.offset || rows.distinctOn.length > 0
      ? orderedRows(origin, rows, limit, belongs, statement)
      : filteredRows(origin, rows.where, belongs, statement)
  const listed = () => orderedRows(origin, rows, lowerLimit(rows.limit, rows.permissionLimit), belongs, statement)
  return objectFrom(fields.map((field) => compileField(field, aggregated, listed)))
}

function compileField(field: AggregateField, aggregated: () => Source, listed: () => Source): JsonEntry {
  switch (field.kind) {
    case 'typename':
      return { key: field.as, value: sql`${literal(field.name)}::text` }
    case 'aggregate': {
      // without an aggregate there would be an object for each row
      if (!field.fields.some(isAggregate)) return { key: field.as, value: objectFrom(field.fields.map(typenames)) }
      const { from, where, scope } = aggregated()
      const calls = callsIn(field.fields) > MOST_COLUMNS ? inPlace : new CallsBelow(scope)
      const object = calls.object(field.fields.map((value) => compileAggregateValue(value, scope, calls)))
      return { key: field.as, value: sql`(SELECT ${object} FROM ${calls.from(sql`${from}${where}`)})` }
    }
    case 'nodes':
      return { key: field.as, value: compileList(listed(), field.fields) }
  }
}

/** Where aggregates are called, and objects made of their values. */
interface Calls {
  /** Returns the value of a call, as a member of an object. */
  value(call: Sql): Sql
  object(entries: readonly JsonEntry[]): Sql
  /** What the objects are selected from; `rows` are aggregated. */
  from(rows: Sql): Sql
}

/** More than a row can hold. */
const inPlace: Calls = { value: (call) => call, object: jsonFrom, from: (rows) => rows }

/** The calls are columns of one query, the objects are made in a query around it. */
class CallsBelow implements Calls {
  readonly #statement: StatementContext
  readonly #row: Sql
  readonly #columns: Sql[] = []
  readonly #joins: Sql[] = []

  constructor({ statement }: Scope) {
    this.#statement = statement
    this.#row = statement.nextAlias()
  }

  value(call: Sql): Sql {
    const column = ident(`a.${this.#columns.length}`)
    this.#columns.push(sql`${call} AS ${column}`)
    return sql`${this.#row}.${column}`
  }

  object(entries: readonly JsonEntry[]): Sql {
    const { join, record } = joinedObject(entries, this.#statement.nextAlias())
    this.#joins.push(join)
    return record
  }

  from(rows: Sql): Sql {
    return sql`(SELECT ${join(this.#columns, sql`, `)} FROM ${rows}) AS ${this.#row}${join(this.#joins, sql``)}`
  }
}

const callsIn = (values: readonly AggregateValue[]): number =>
  values.reduce((sum, value) => sum + (value.kind === 'operator' ? value.fields.length : 1), 0)

const isAggregate = (value: AggregateValue): boolean =>
  value.kind === 'count' || (value.kind === 'operator' && value.fields.some(({ kind }) => kind === 'value'))

/** An object in which nothing is aggregated. */
function typenames(value: AggregateValue): JsonEntry {
  if (value.kind === 'typename') return { key: value.as, value: sql`${literal(value.name)}::text` }
  const inner = value.kind === 'operator' ? value.fields : []
  return {
    key: value.as,
    value: objectFrom(
      inner.flatMap((field) =>
        field.kind === 'typename' ? [{ key: field.as, value: sql`${literal(field.name)}::text` }] : [],
      ),
    ),
  }
}

function compileAggregateValue(value: AggregateValue, scope: Scope, calls: Calls): JsonEntry {
  switch (value.kind) {
    case 'typename':
      return { key: value.as, value: sql`${literal(value.name)}::text` }
    case 'count':
      return { key: value.as, value: calls.value(compileCountOf(value, scope)) }
    case 'operator': {
      const members = value.fields.map((field): JsonEntry => {
        if (field.kind === 'typename') return { key: field.as, value: sql`${literal(field.name)}::text` }
        const call = compileAggregateCall(value.operator, field.of, scope)
        const isText = scope.statement.stringifyNumericTypes && isStringified(operandType(field.of))
        return { key: field.as, value: calls.value(isText ? sql`(${call})::text` : call) }
      })
      return { key: value.as, value: calls.object(members) }
    }
  }
}

const compileCountOf = ({ of, distinct }: AggregateValue & { kind: 'count' }, scope: Scope): Sql =>
  countCall(
    of.map((one) => compileOperand(one, scope)),
    distinct,
  )

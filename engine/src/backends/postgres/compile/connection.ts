import type { Connection, ConnectionField, CursorKey, EdgeField, PageInfoField } from '../../../ir/index.ts'
import { compileWhere, integer, join, literal, sql } from '../../sql.ts'
import { compileCursor, compileSide } from './cursor.ts'
import { compileFields, joinBudget } from './fields.ts'
import { type JsonEntry, joinedObject, listOf, objectFrom } from './json-shapes.ts'
import { compileOrderBy } from './order-by.ts'
import { type Belongs, filteredRows, type Origin, orderedRows, type Source, selection } from './rows.ts'
import type { Scope, Sql, StatementContext } from './scope.ts'
import { lowerLimit } from './values.ts'

/** The rows of the page, and whether there are rows before and after it. */
interface Page {
  /** In the order of the connection. */
  readonly rows: () => Source
  readonly hasPrevious: Sql
  readonly hasNext: Sql
}

/**
 * Compiles a Relay connection to one JSON object. The page is read once, with one row more than it shows: whether there
 * is another page is seen by that row, and whether there was one before by a row on the other side of the cursor.
 */
export function compileConnection(
  origin: Origin,
  connection: Connection,
  belongs: Belongs,
  statement: StatementContext,
): Sql {
  const { orderBy, bound, count, fields } = connection
  const isBackward = count?.from === 'last'
  const limit = lowerLimit(count?.of ?? null, connection.permissionLimit)
  const within = rowsOf(origin, connection, belongs, statement, (row) =>
    bound ? [compileSide(orderBy, bound, row)] : [],
  )
  const order = compileOrderBy(isBackward ? orderBy.map(reversed) : orderBy, within.scope)
  const cut = limit ? sql` LIMIT (${limit})::bigint + 1` : sql``
  const read = sql`SELECT ${within.scope.row}.* FROM ${within.from}${within.where}${order}${cut}`

  const name = statement.nextAlias()
  const shown = sql`SELECT * FROM ${name}${limit ? sql` LIMIT ${limit}` : sql``}`
  const forward = (): Sql => {
    const { from, scope } = selection(shown, origin.table, orderBy, statement)
    return sql`SELECT ${scope.row}.* FROM ${from}${compileOrderBy(orderBy, scope)}`
  }
  const isMore = limit ? sql`((SELECT count(*) FROM ${name}) > (${limit})::bigint)` : sql`false`
  const isBeyond = (side: 'after' | 'before'): Sql =>
    bound?.side === side ? existsBeyond(origin, connection, belongs, statement) : sql`false`
  const page: Page = {
    rows: () => selection(isBackward ? forward() : shown, origin.table, orderBy, statement),
    hasPrevious: isBackward ? sql`(${isMore} OR ${isBeyond('after')})` : isBeyond('after'),
    hasNext: isBackward ? isBeyond('before') : sql`(${isMore} OR ${isBeyond('before')})`,
  }
  const object = objectFrom(fields.map((field) => compileField(field, page, orderBy)))
  return sql`(WITH ${name} AS MATERIALIZED (${read}) SELECT ${object})`
}

/** All rows of the connection that meet further conditions. */
function rowsOf(
  origin: Origin,
  { where, distinctOn, orderBy }: Connection,
  belongs: Belongs,
  statement: StatementContext,
  conditions: Belongs,
): Source {
  if (distinctOn.length === 0)
    return filteredRows(origin, where, (row) => [...belongs(row), ...conditions(row)], statement)
  const rows = { where, orderBy, distinctOn, limit: null, offset: null, permissionLimit: null }
  const distinct = orderedRows(origin, rows, null, belongs, statement)
  return { ...distinct, where: compileWhere(conditions(distinct.scope)) }
}

/** Whether there are rows that the cursor excludes. */
function existsBeyond(origin: Origin, connection: Connection, belongs: Belongs, statement: StatementContext): Sql {
  const { bound, orderBy } = connection
  if (!bound) return sql`false`
  const { from, where } = rowsOf(origin, connection, belongs, statement, (row) => [
    sql`(${compileSide(orderBy, bound, row)} IS NOT TRUE)`,
  ])
  return sql`EXISTS (SELECT 1 FROM ${from}${where})`
}

const reversed = (key: CursorKey): CursorKey => ({
  ...key,
  direction: key.direction === 'asc' ? 'desc' : 'asc',
  nulls: key.nulls === 'first' ? 'last' : 'first',
})

const typename = (name: string): Sql => sql`${literal(name)}::text`

function compileField(field: ConnectionField, page: Page, orderBy: readonly CursorKey[]): JsonEntry {
  switch (field.kind) {
    case 'typename':
      return { key: field.as, value: typename(field.name) }
    case 'page-info': {
      const entries = field.fields.map((one) => ({
        key: one.as,
        value: one.kind === 'typename' ? typename(one.name) : pageInfo(one, page, orderBy),
      }))
      return { key: field.as, value: objectFrom(entries) }
    }
    case 'edges':
      return { key: field.as, value: compileEdges(page.rows(), field.fields, orderBy) }
  }
}

function pageInfo({ kind }: PageInfoField, page: Page, orderBy: readonly CursorKey[]): Sql {
  switch (kind) {
    case 'has-next-page':
      return page.hasNext
    case 'has-previous-page':
      return page.hasPrevious
    case 'start-cursor':
      return edgeCursor(page.rows(), orderBy, sql``)
    case 'end-cursor': {
      const rows = page.rows()
      return edgeCursor(rows, orderBy, compileOrderBy(orderBy.map(reversed), rows.scope))
    }
  }
}

/** Of the first row in this order; empty where there is none. */
function edgeCursor({ from, scope }: Source, orderBy: readonly CursorKey[], order: Sql): Sql {
  return sql`COALESCE((SELECT ${compileCursor(orderBy, scope)} FROM ${from}${order} LIMIT ${integer(1)}), '')`
}

function compileEdges(
  { from, scope, orderBy: order }: Source,
  fields: readonly EdgeField[],
  orderBy: readonly CursorKey[],
): Sql {
  // a join may change the order, which can be stated again when it is by columns of the rows themselves
  const budget = orderBy.every(({ key }) => key.kind === 'operand') ? joinBudget() : { left: 0 }
  const joins: Sql[] = []
  const objects: Sql[] = []
  const entries = fields.map((field): JsonEntry => {
    const value = compileEdgeField(field, scope, orderBy, budget, joins, objects)
    return { key: field.as, value }
  })
  const again = joins.length > 0 ? compileOrderBy(order, scope) : sql``
  return listOf(entries, sql`${from}${join([...joins, ...objects], sql``)}${again}`)
}

function compileEdgeField(
  field: EdgeField,
  scope: Scope,
  orderBy: readonly CursorKey[],
  budget: ReturnType<typeof joinBudget>,
  joins: Sql[],
  objects: Sql[],
): Sql {
  switch (field.kind) {
    case 'typename':
      return typename(field.name)
    case 'cursor':
      return compileCursor(orderBy, scope)
    case 'node': {
      const inner = compileFields(field.fields, scope, budget)
      const object = joinedObject(inner.entries, scope.statement.nextAlias())
      joins.push(...inner.joins)
      objects.push(object.join)
      return object.record
    }
  }
}

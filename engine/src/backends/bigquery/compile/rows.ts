import {
  always,
  type BooleanExpression,
  type Operand,
  type OrderBy,
  operandType,
  type Rows,
  type Value,
} from '../../../ir/index.ts'
import { compileWhere, join, sql } from '../../sql.ts'
import { compileBooleanExpression } from './boolean-expression.ts'
import type { Source } from './join-grouped.ts'
import { compileOperand, groupable } from './operand.ts'
import { compileOrderBy } from './order-by.ts'
import { columnOf, type Scope, type Sql, scopeOf } from './scope.ts'
import { compileLimit, compileValue } from './values.ts'

/** Where rows are taken from: what stands after FROM, and what it is called. */
export interface Origin {
  readonly name: string
  readonly from: Sql
}

/** All rows, in any order. */
export const allRows: Rows = {
  where: always,
  orderBy: [],
  distinctOn: [],
  limit: null,
  offset: null,
  permissionLimit: null,
}

/** What leaves some of the rows only, those with the same keys taken by themselves. */
export type Cut =
  /** The first of those that are equal in some columns. */
  | { readonly kind: 'first'; readonly of: readonly Operand[] }
  | { readonly kind: 'window'; readonly limit: Value | null; readonly offset: Value | null }

/** Returns the cuts of rows: distinct_on before limit and offset. `limit`: whether the user's is applied here. */
export function cutsOf(
  { distinctOn, limit, offset }: Rows,
  window: { readonly limit: boolean } | null,
): readonly Cut[] {
  const most = window?.limit ? limit : null
  return [
    ...(distinctOn.length > 0 ? [{ kind: 'first', of: distinctOn } as const] : []),
    ...(window && (most || offset) ? [{ kind: 'window', limit: most, offset } as const] : []),
  ]
}

/**
 * Returns the rows that satisfy `where`, cut. Call it when all columns that are needed of the scope's row are known: a
 * cut is a query that selects those. `keys`: columns whose equal values make the groups that are cut.
 */
export function compileSource(
  origin: Origin,
  { where, orderBy }: { readonly where: BooleanExpression; readonly orderBy: readonly OrderBy[] },
  cuts: readonly Cut[],
  keys: readonly string[],
  scope: Scope,
): Source {
  const cut = cuts.at(-1)
  if (!cut) return { from: sql`${origin.from} AS ${scope.row.alias}`, where: [compileBooleanExpression(where, scope)] }
  const inner = scopeOf(scope.statement, 't_', origin)
  const columns = [...scope.row.columns].map((name) => columnOf(inner.row, name))
  const tail = compileCut(cut, orderBy, keys, inner)
  const source = compileSource(origin, { where, orderBy }, cuts.slice(0, -1), keys, inner)
  const selected = columns.length > 0 ? join(columns, sql`, `) : sql`TRUE AS \`_\``
  const select = sql`SELECT ${selected} FROM ${source.from}${join(inner.joins, sql``)}`
  // QUALIFY wants a WHERE before it
  const condition = compileWhere(source.where)
  const isBare = condition.parts.length === 0 && tail.qualifies
  return {
    from: sql`(${select}${isBare ? sql` WHERE TRUE` : condition}${tail.text}) AS ${scope.row.alias}`,
    where: [],
  }
}

function compileCut(
  cut: Cut,
  orderBy: readonly OrderBy[],
  keys: readonly string[],
  scope: Scope,
): { readonly text: Sql; readonly qualifies: boolean } {
  const { statement, row } = scope
  const order = compileOrderBy(orderBy, scope)
  const own = keys.map((key) => columnOf(row, key))
  switch (cut.kind) {
    case 'first': {
      const columns = cut.of.map((of) => groupable(compileOperand(of, scope), operandType(of)))
      return { text: sql` QUALIFY ${rowNumber([...own, ...columns], order)} = 1`, qualifies: true }
    }
    case 'window': {
      const { limit, offset } = cut
      if (own.length === 0)
        return { text: sql`${order}${compileLimits({ user: limit, ...noLimit }, offset, scope)}`, qualifies: false }
      const most = limit && compileLimit({ user: limit, ...noLimit }, statement)
      const skipped = offset && compileValue(offset, statement)
      const number = rowNumber(own, order)
      const place = skipped ? sql`(${number} - ${skipped})` : number
      return { text: sql` QUALIFY ${most ? sql`${place} BETWEEN 1 AND ${most}` : sql`${place} >= 1`}`, qualifies: true }
    }
  }
}

const noLimit = { permission: null, global: false }

const rowNumber = (partition: readonly Sql[], order: Sql): Sql =>
  sql`ROW_NUMBER() OVER (PARTITION BY ${join(partition, sql`, `)}${order})`

/** Returns ` LIMIT … OFFSET …`: OFFSET needs a LIMIT before it. */
export function compileLimits(
  limit: Parameters<typeof compileLimit>[0],
  offset: Value | null,
  { statement }: Scope,
): Sql {
  const isLimited = limit.user !== null || limit.permission !== null || limit.global
  const most = isLimited || offset ? sql` LIMIT ${compileLimit(limit, statement)}` : sql``
  return sql`${most}${offset ? sql` OFFSET ${compileValue(offset, statement)}` : sql``}`
}

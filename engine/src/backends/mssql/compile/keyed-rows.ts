import type { RootQuery } from '../../../ir/index.ts'
import { bind, ident, join, sql } from '../../sql.ts'
import { castTo } from './cast.ts'
import { compileList } from './rows.ts'
import { type Sql, type StatementContext, scopeOf } from './scope.ts'

/**
 * The keys as rows of their own, in their order: what they lead to are relationships of these rows. Lists that belong together
 * are joined by the places of their members.
 */
export function compileKeyedRows(
  { keys, fields }: Extract<RootQuery, { readonly kind: 'keyed' }>,
  statement: StatementContext,
): Sql {
  const alias = (i: number): Sql => ident(`list${i}`)
  const columns = keys.map(({ name, list }, i) => {
    const value: Sql = castTo(sql`${alias(i)}.[value]`, { ...list.type, list: false })
    return sql`, ${value} AS ${ident(name)}`
  })
  const lists = keys.map(({ list }, i) =>
    i === 0
      ? sql`OPENJSON(${bind(list)}) AS ${alias(i)}`
      : sql` INNER JOIN OPENJSON(${bind(list)}) AS ${alias(i)} ON ${alias(i)}.[key] = ${alias(0)}.[key]`,
  )
  const scope = scopeOf(ident('lhs'), statement)
  const from = sql`(SELECT CAST(${alias(0)}.[key] AS int) AS [position]${join(columns, sql``)} FROM ${join(lists, sql``)}) AS ${scope.row}`
  const rows = { top: sql``, from, where: sql``, order: sql` ORDER BY ${scope.row}.[position]`, scope }
  return compileList(rows, fields)
}

import { answerLeadsElsewhere, type QualifiedName } from '../../../ir/index.ts'
import { ident, join, sql, tableName } from '../../sql.ts'
import { type Scope, type Sql, scopeOf } from '../compile/scope.ts'
import type { WriteResult } from './write-statement.ts'

/**
 * Whether the version of a row that a statement changed is the one that its snapshot has: else another transaction has
 * changed the row since, and what the row leads to may have changed with it, which the answer of this statement would
 * not show. The version that the snapshot has names the transaction that replaced it. A query for one value, since the
 * database may make a table of what EXISTS reads, before the later rows are changed.
 */
export function seenBefore(table: QualifiedName, key: readonly string[], { row, statement }: Scope): Sql {
  const { row: before } = scopeOf(statement.nextAlias(), statement)
  const same = join(
    key.map((name) => sql`${before}.${ident(name)} = ${row}.${ident(name)}`),
    sql` AND `,
  )
  return sql`(SELECT ${before}."xmax" FROM ${tableName(table)} AS ${before} WHERE ${same}) = ${thisTransaction}`
}

const thisTransaction = sql`(SELECT (pg_catalog.txid_current() % 4294967296)::text::pg_catalog.xid)`

/** Whether the statement that writes answers with more than the rows that it wrote. */
export const answersMore = (result: WriteResult): boolean =>
  result.kind === 'answer' && answerLeadsElsewhere(result.answer)

import type { StreamQuery } from '../../../ir/index.ts'
import { ident, sql } from '../../sql.ts'
import { compileBooleanExpression, compileWhere } from './boolean-expression.ts'
import { compileOperand } from './operand.ts'
import { compileAnswer, originOf, type Source } from './rows.ts'
import { type Sql, type StatementContext, scopeOf, tableName } from './scope.ts'
import { compileCount, compileValue, lowerLimit } from './values.ts'

/**
 * A batch of a stream: one row of its JSON (`root`) and the text of the cursor's column in its last row (`cursor`), null
 * when the batch is empty (reference/subscriptions#streams). Rows equal to the last one belong to it, so that the next
 * batch begins behind all of them.
 */
export function compileStream(stream: StreamQuery, statement: StatementContext): Sql {
  const { cursor, from, fields } = stream
  const row = scopeOf(statement.nextAlias(), statement)
  const column = compileOperand(cursor.of, row)
  const ascending = cursor.direction === 'asc'
  const behind = sql`${column} ${ascending ? sql`>` : sql`<`} ${compileValue(cursor.initial)}`
  const order = sql`${column} ${ascending ? sql`ASC` : sql`DESC`}`
  const where = compileWhere([compileBooleanExpression(stream.where, row), behind])
  // a limit that is counted with is never null
  const count = lowerLimit(stream.batchSize, stream.permissionLimit) ?? compileCount(stream.batchSize) ?? sql`1`
  const rows = ident('rows.stream')
  const select = sql`SELECT ${row.row}.* FROM ${tableName(from)} AS ${row.row}${where} ORDER BY ${order} FETCH FIRST (${count}) ROWS WITH TIES`
  const answer = compileAnswer(rowsOf(stream, rows, statement), fields, true)
  const last = scopeOf(statement.nextAlias(), statement, from)
  const lastColumn = compileOperand(cursor.of, last)
  const next = sql`SELECT (${lastColumn})::text FROM ${rows} AS ${last.row} ORDER BY ${lastColumn} ${ascending ? sql`DESC` : sql`ASC`} LIMIT 1`
  return sql`WITH ${rows} AS MATERIALIZED (${select}) SELECT (${answer}) AS "root", (${next}) AS "cursor"`
}

/** The batch, in its order. */
function rowsOf({ from, cursor }: StreamQuery, rows: Sql, statement: StatementContext): Source {
  const scope = scopeOf(statement.nextAlias(), statement, originOf(from).table)
  const orderBy = [{ key: { kind: 'operand', of: cursor.of }, direction: cursor.direction, nulls: 'last' } as const]
  return { from: sql`${rows} AS ${scope.row}`, where: sql``, scope, orderBy }
}
